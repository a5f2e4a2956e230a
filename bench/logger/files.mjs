// Ways of getting lines into files of `directory`; `stdout` is a file there, a.log, too. A subject
// opens to { log(i): void | Promise, end(): Promise }; a promise of `log` asks to wait.
import { once } from 'node:events';
import { join } from 'node:path';
import pino from 'pino';
import { clock, five, FIVE, fiveText, logFive, pinoFive, pinoTo } from './events.mjs';

const MEBIBYTE = 1024 * 1024;

async function ended(stream) {
  const closed = once(stream, 'close');
  stream.end();
  await closed;
}

function fail(error) {
  throw error;
}

async function logx({ bundle }) {
  const { createLogger } = await import(bundle);
  const log = createLogger({ clock, errorHandler: fail });
  return { log: logFive(log), end: () => log.close() };
}

function pinoOn(options) {
  return async ({ file }) => {
    const stream = pino.destination({ dest: file, ...options });
    if (!options.sync) await once(stream, 'ready');
    return { log: pinoFive(pinoTo(stream)), end: () => ended(stream) };
  };
}

/** What `pino()` takes without a destination: standard output. */
function pinoDefault() {
  const stream = pino.destination(1);
  return { log: pinoFive(pinoTo(stream)), end: () => ended(stream) };
}

async function winstonFile({ file }) {
  const { default: winston } = await import('winston');
  const log = winston.createLogger({
    format: winston.format.json(),
    transports: [new winston.transports.File({ filename: file })],
  });
  const end = async () => {
    const finished = once(log.transports[0], 'finish');
    log.end();
    await finished;
  };
  return { log: (i) => log.info(fiveText(i), five(i)), end };
}

async function logtapeFile({ file }) {
  const { configure, dispose, getJsonLinesFormatter, getLogger } = await import('@logtape/logtape');
  const { getFileSink } = await import('@logtape/file');
  await configure({
    sinks: { file: getFileSink(file, { formatter: getJsonLinesFormatter() }) },
    loggers: [
      { category: ['shop'], sinks: ['file'], lowestLevel: 'info' },
      { category: ['logtape', 'meta'], sinks: [] },
    ],
  });
  const log = getLogger(['shop']);
  return { log: (i) => log.info(FIVE, five(i)), end: dispose };
}

/** Lines that are made already, 340 bytes each: what writing alone costs. */
const PADDING = 'x'.repeat(120);
const lineOf = (i) =>
  `{"level":"info","time":"2026-11-21T03:00:00Z","@mt":"Order {Id} of {Who} took {Ms} ms",` +
  `"message":"Order ${i} of Ada took 17 ms","Id":${i},"Who":"Ada","Ms":17,"service":"shop",` +
  `"RequestId":"0123456789abcdef","padding":"${PADDING}"}\n`;

function ourLines(options) {
  return async ({ bundle, file }) => {
    const { fileSink } = await import(bundle);
    const sink = fileSink(file, options).open({ onError: fail });
    return { log: (i) => sink.write(lineOf(i)), end: () => sink.close() };
  };
}

async function sonicBoomLines({ file }) {
  const stream = pino.destination({ dest: file, sync: false });
  await once(stream, 'ready');
  return { log: (i) => void stream.write(lineOf(i)), end: () => ended(stream) };
}

async function pinoRollLines({ directory }) {
  const { default: roll } = await import('pino-roll');
  const stream = await roll({ file: join(directory, 'a'), size: '1m', extension: '.log' });
  return { log: (i) => void stream.write(lineOf(i)), end: () => ended(stream) };
}

async function rotatingLines({ directory }) {
  const { createStream } = await import('rotating-file-stream');
  const stream = createStream('a.log', { size: '1M', path: directory });
  return {
    log: (i) => (stream.write(lineOf(i)) ? undefined : once(stream, 'drain')),
    end: () => ended(stream),
  };
}

/** What is slow logs fewer lines than the others of its group. */
const SLOW_LINES = 6_000;

/** As in calls.mjs; `lines` are logged, `goals` are ratios to others of the group, `limit` is the size of a file. */
export const FILES = [
  {
    what: 'logged to a file',
    lines: 120_000,
    equal: ['pino sync', 'pino async', 'pino async, 4 KiB', 'logx'],
    who: {
      'pino, its default': { open: pinoDefault },
      'pino sync': { open: pinoOn({ sync: true }) },
      'pino async': { open: pinoOn({ sync: false }) },
      'pino async, 4 KiB': { open: pinoOn({ sync: false, minLength: 4096 }) },
      logx: { open: logx, goals: { 'pino, its default': 4, 'pino sync': 2.5 } },
      winston: { open: winstonFile, lines: SLOW_LINES },
      logtape: { open: logtapeFile, lines: SLOW_LINES },
    },
  },
  {
    what: 'ready lines to files',
    lines: 40_000,
    equal: [
      'logx',
      'logx, 1 MiB each',
      'logx, 1 MiB, gzip',
      'pino-roll, 1 MiB',
      'rotating-file-stream, 1 MiB',
    ],
    who: {
      'SonicBoom, one file': { open: sonicBoomLines },
      logx: { open: ourLines({}) },
      'logx, 1 MiB each': {
        open: ourLines({ rotation: { maxSizeMB: 1 } }),
        goals: { 'SonicBoom, one file': 1.5 },
        limit: MEBIBYTE,
      },
      'logx, 1 MiB, gzip': {
        open: ourLines({ rotation: { maxSizeMB: 1, compress: true } }),
        limit: MEBIBYTE,
      },
      'pino-roll, 1 MiB': { open: pinoRollLines, limit: MEBIBYTE },
      'rotating-file-stream, 1 MiB': { open: rotatingLines, limit: MEBIBYTE },
    },
  },
];

/** Ten logs a millisecond, as a busy server: how much of the loop they take. */
export const LOADS = {
  nothing: { open: () => ({ log: () => {}, end: async () => {} }) },
  'pino async': { open: pinoOn({ sync: false }) },
  logx: { open: logx },
};
