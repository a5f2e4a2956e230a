// How an app with pino, and one with our logger, gets lines of each format.
import { clock, pinoTo } from '../logger/events.mjs';
import { otelOf } from '../logger/reparse.mjs';

const PINOS = {
  json: (discard) => pinoTo(discard),
  async ecs(discard) {
    const { ecsFormat } = await import('@elastic/ecs-pino-format');
    const { default: pino } = await import('pino');
    return pino(ecsFormat(), discard);
  },
  otel: (discard) =>
    pinoTo({
      write: (line) => discard.write(JSON.stringify(otelOf(JSON.parse(line))) + '\n'),
    }),
  async console(discard) {
    const { prettyFactory } = await import('pino-pretty');
    const pretty = prettyFactory({ colorize: false, messageKey: 'message' });
    return pinoTo({ write: (line) => discard.write(pretty(line)) });
  },
};

export const FORMATS = Object.keys(PINOS);

/** A function that makes the call of a kind. */
export async function pinoSide(format, discard) {
  const log = await PINOS[format](discard);
  return (kind) => kind.pinos(log);
}

/** A function that makes the call of a kind; of those that say so, by Nest's logger. */
export async function ourSide(format, discard, bundle) {
  const { createLogger, customSink, LogxLoggerService } = await import(bundle);
  const log = createLogger({
    sinks: [customSink(discard, { format })],
    // The others' clock is replaced in all formats but ecs, where it cannot be.
    ...(format !== 'ecs' && { clock }),
    stackTrace: true,
  });
  const nest = new LogxLoggerService(log);
  return (kind) => kind.ours(log, nest);
}

/** A call that makes one of the kinds' after the other, each as often as its share says. */
export function inTurn(kinds, callOf) {
  if (kinds.length === 1) return callOf(kinds[0]);
  // Spread evenly: each kind has a place wherever its share of the turns has grown by one.
  const places = kinds.flatMap((kind, k) => {
    const call = callOf(kind);
    return Array.from({ length: kind.share }, (_, n) => ({
      at: (n + 0.5) / kind.share + k / 1e4,
      call,
    }));
  });
  const calls = places.toSorted((a, b) => a.at - b.at).map(({ call }) => call);
  return (i) => calls[i % calls.length](i);
}
