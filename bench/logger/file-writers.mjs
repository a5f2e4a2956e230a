// Everything that puts ready-made lines into files in `directory`. A writer is
// { write(line): void | Promise, end(): Promise }; a promise of `write` asks to wait.
import { once } from 'node:events';
import { join } from 'node:path';
import pino from 'pino';

const MEBIBYTE = 1024 * 1024;

function ours(options) {
  return async (directory, bundle) => {
    const { fileSink } = await import(bundle);
    const sink = fileSink(join(directory, 'a.log'), options).open({ onError: fail });
    return { write: (line) => sink.write(line), end: () => sink.close() };
  };
}

function sonicBoom(options) {
  return async (directory) => {
    const stream = pino.destination({ dest: join(directory, 'a.log'), ...options });
    if (!options.sync) await once(stream, 'ready');
    return { write: (line) => void stream.write(line), end: () => ended(stream) };
  };
}

async function pinoRoll(directory) {
  const { default: roll } = await import('pino-roll');
  const stream = await roll({ file: join(directory, 'a'), size: '1m', extension: '.log' });
  return { write: (line) => void stream.write(line), end: () => ended(stream) };
}

async function rotatingFileStream(directory) {
  const { createStream } = await import('rotating-file-stream');
  const stream = createStream('a.log', { size: '1M', path: directory });
  return {
    write: (line) => (stream.write(line) ? undefined : once(stream, 'drain')),
    end: () => ended(stream),
  };
}

async function ended(stream) {
  const closed = once(stream, 'close');
  stream.end();
  await closed;
}

function fail(error) {
  throw error;
}

/** The first is the base of the ratios; `limit` is the size of a file in bytes. */
export const WRITERS = {
  'SonicBoom sync (pino default)': { open: sonicBoom({ sync: true }) },
  'SonicBoom async': { open: sonicBoom({ sync: false }) },
  'SonicBoom async, 4 KiB': { open: sonicBoom({ sync: false, minLength: 4096 }) },
  'logx file': { open: ours({}) },
  'logx file, rotated 1 MiB': {
    open: ours({ rotation: { maxSizeMB: 1 } }),
    limit: MEBIBYTE,
  },
  'logx file, rotated, gzip': {
    open: ours({ rotation: { maxSizeMB: 1, compress: true } }),
    limit: MEBIBYTE,
  },
  'pino-roll 1 MiB': { open: pinoRoll, limit: MEBIBYTE },
  'rotating-file-stream 1 MiB': { open: rotatingFileStream, limit: MEBIBYTE },
};
