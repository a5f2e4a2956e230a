import { thrownText } from '@apix/contracts';
import { type OptionTable, TEXT } from '@apix/contracts/internal';
import { AsyncSink } from './async-sink.js';
import { flushAtExit } from './exit-flush.js';
import type { Sink, SinkContext, SinkSpec } from './sink.js';
import {
  maxLinesOf,
  readSinkOptions,
  SINK_OPTIONS,
  type SinkOptions,
  specOf,
} from './sink-options.js';

export interface CustomSinkOptions extends SinkOptions {
  /** Names the sink in errors. Default: `'custom'`. */
  readonly kind?: string | undefined;
}

const CUSTOM_SINK_OPTIONS = {
  ...SINK_OPTIONS,
  kind: TEXT,
} satisfies OptionTable<CustomSinkOptions>;

/**
 * Any object with `write` or `emit` as a sink, or a function that creates one for each logger and gets a
 * context for reporting its failures. The sink's `flushSync` is called when the process exits, its `close`
 * when the logger is closed.
 *
 * @throws OptionsError with every wrong option; TypeError for an object that has neither `write` nor
 *   `emit`; for an object that a function returns, when a logger is created.
 */
export function customSink(
  sink: Sink | SinkSpec['open'],
  options: CustomSinkOptions = {},
): SinkSpec {
  const read = readSinkOptions('custom', CUSTOM_SINK_OPTIONS, options);
  const { kind = 'custom' } = read;
  const open = typeof sink === 'function' ? sink : () => sink;
  if (typeof sink !== 'function') checkSink(sink, kind);
  const maxLines = maxLinesOf(read);
  const spec = specOf(kind, read, (context) => {
    const opened = checkSink(open(context), kind);
    return maxLines === undefined
      ? flushedAtExit(opened, kind, context)
      : new AsyncSink(opened, { ...context, name: kind, maxLines, clock: undefined });
  });
  // A network sink is its own spec.
  const { timeFormats } = sink as Partial<SinkSpec>;
  return timeFormats === undefined ? spec : { ...spec, timeFormats };
}

function checkSink(sink: Sink, kind: string): Sink {
  if (sink.write === undefined && sink.emit === undefined) {
    throw new TypeError(`logx: the sink ${kind} must have write(line) or emit(event)`);
  }
  return sink;
}

function flushedAtExit(sink: Sink, kind: string, { onError }: SinkContext): Sink {
  if (sink.flushSync === undefined) return sink;
  const leaveExit = flushAtExit({
    flushSync() {
      try {
        sink.flushSync?.();
      } catch (cause) {
        onError(new Error(`logx: ${kind} could not be flushed: ${thrownText(cause)}`, { cause }));
      }
    },
  });
  return {
    ...(sink.write && { write: sink.write.bind(sink) }),
    ...(sink.writeBytes && { writeBytes: sink.writeBytes.bind(sink) }),
    ...(sink.emit && { emit: sink.emit.bind(sink) }),
    ...(sink.flush && { flush: sink.flush.bind(sink) }),
    flushSync: sink.flushSync.bind(sink),
    close(deadline) {
      leaveExit();
      return sink.close?.(deadline);
    },
  };
}
