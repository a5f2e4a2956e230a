// Ways of making lines that go nowhere. Each opens to `(call, discard)`; a call logs one event.
import { Writable } from 'node:stream';
import {
  bindings,
  clock,
  logFive,
  logTwo,
  pinoFive,
  PINO_OPTIONS,
  pinoTo,
  pinoTwo,
  two,
  twoText,
} from './events.mjs';
import { ecsOf, otelOf } from './reparse.mjs';

const PINO = 'pino';

/** Our logger with one sink a format. */
async function logx({ bundle, discard }, formats = ['json'], options = {}) {
  const { createLogger, customSink } = await import(bundle);
  const sinks = formats.map((format) => customSink(discard, { format }));
  return createLogger({ sinks, clock, ...options });
}

const ours = (formats) => async (env) => logTwo(await logx(env, formats));

async function winstonTwo({ discard }) {
  const { default: winston } = await import('winston');
  const stream = new Writable({
    decodeStrings: false,
    write: (line, _encoding, done) => (discard.write(line), done()),
  });
  const time = winston.format((info) => Object.assign(info, { time: '2026-11-21T03:00:00Z' }));
  const log = winston.createLogger({
    format: winston.format.combine(time(), winston.format.json()),
    transports: [new winston.transports.Stream({ stream })],
  });
  return (i) => log.info(twoText(i), two(i));
}

async function logtapeTwo({ discard }) {
  const { configure, getJsonLinesFormatter, getLogger } = await import('@logtape/logtape');
  const format = getJsonLinesFormatter();
  await configure({
    sinks: { discard: (record) => discard.write(format(record)) },
    loggers: [
      { category: ['shop'], sinks: ['discard'], lowestLevel: 'info' },
      { category: ['logtape', 'meta'], sinks: [] },
    ],
  });
  const log = getLogger(['shop']);
  return (i) => log.info('Order {Id} of {Who} placed', { Id: i, Who: 'Ada Lovelace' });
}

async function nestjsPinoTwo({ discard }) {
  const { PinoLogger } = await import('nestjs-pino');
  return pinoTwo(new PinoLogger({ pinoHttp: [PINO_OPTIONS, discard] }));
}

async function nestConsoleTwo({ discard }) {
  const { ConsoleLogger } = await import('@nestjs/common');
  const log = new ConsoleLogger({ json: true, colors: false });
  process.stdout.write = (line) => discard.write(line);
  return (i) => log.log({ ...two(i), message: twoText(i) });
}

async function pinoEcs({ discard }) {
  const { ecsFormat } = await import('@elastic/ecs-pino-format');
  const { default: pino } = await import('pino');
  return pinoTwo(pino(ecsFormat(), discard));
}

async function pinoPretty({ discard }) {
  const { prettyFactory } = await import('pino-pretty');
  const pretty = prettyFactory({ colorize: true, messageKey: 'message', ignore: '@mt' });
  return pinoTwo(pinoTo({ write: (line) => discard.write(pretty(line)) }));
}

async function multistream({ discard }) {
  const { default: pino } = await import('pino');
  return pinoTwo(pinoTo(pino.multistream([{ stream: discard }, { stream: discard }])));
}

/** How a logger of one format comes by others: by reading its lines again. */
function reparsing({ discard }) {
  const stream = {
    write(line) {
      discard.write(line);
      const event = JSON.parse(line);
      discard.write(JSON.stringify(ecsOf(event)) + '\n');
      discard.write(JSON.stringify(otelOf(event)) + '\n');
    },
  };
  return pinoTwo(pinoTo(stream));
}

async function oursColored({ bundle, discard }) {
  const { createLogger, stdoutSink } = await import(bundle);
  const spec = stdoutSink({ format: 'console', color: true });
  const sinks = [{ ...spec, open: () => discard }];
  return logTwo(createLogger({ sinks, clock }));
}

/**
 * Compared with the first of its group: `goal` is the least ratio that is asked for. Lines of a
 * group with `equal` are the same, byte for byte.
 */
export const CALLS = [
  {
    what: 'two fields',
    equal: ['logx', 'nestjs-pino'],
    who: {
      [PINO]: { open: ({ discard }) => pinoTwo(pinoTo(discard)) },
      logx: { open: ours(['json']), goal: 2 },
      'nestjs-pino': { open: nestjsPinoTwo },
      winston: { open: winstonTwo },
      logtape: { open: logtapeTwo },
      'Nest ConsoleLogger JSON': { open: nestConsoleTwo },
    },
  },
  {
    what: 'five fields, two bindings',
    equal: ['logx'],
    who: {
      [PINO]: { open: ({ discard }) => pinoFive(pinoTo(discard).child(bindings)) },
      logx: { open: async (env) => logFive((await logx(env)).forContextValues(bindings)), goal: 2 },
    },
  },
  {
    what: 'two sinks',
    equal: ['logx'],
    who: { 'pino multistream': { open: multistream }, logx: { open: ours(['json', 'json']) } },
  },
  { what: 'ecs', who: { 'ecs-pino-format': { open: pinoEcs }, logx: { open: ours(['ecs']) } } },
  {
    what: 'json, ecs and otel',
    equal: ['logx'],
    who: {
      'pino, lines parsed again': { open: reparsing },
      logx: { open: ours(['json', 'ecs', 'otel']), goal: 3 },
    },
  },
  {
    what: 'console, coloured',
    who: { 'pino-pretty': { open: pinoPretty }, logx: { open: oursColored, goal: 8 } },
  },
  {
    what: 'a disabled level',
    silent: true,
    who: {
      [PINO]: {
        open({ discard }) {
          const log = pinoTo(discard);
          return (i) => log.debug('Order %d', i);
        },
      },
      logx: {
        goal: 0.95,
        async open(env) {
          const log = await logx(env);
          return (i) => log.debug('Order {Id}', i);
        },
      },
    },
  },
  {
    what: 'a child logger',
    silent: true,
    who: {
      [PINO]: {
        open({ discard }) {
          const log = pinoTo(discard);
          return (i) => log.child({ RequestId: i });
        },
      },
      logx: {
        goal: 1,
        async open(env) {
          const log = await logx(env);
          return (i) => log.forContext('RequestId', i);
        },
      },
    },
  },
];
