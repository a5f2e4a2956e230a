import type { Buffer } from 'node:buffer';
import { ByteSink } from './byte-sink.js';

let idle: ByteSink | undefined;

/**
 * The bytes that `write` appends. Its sink is used again for the next document, but not while it
 * is in use: a getter of a message may well write another one.
 */
export function bytesOf(write: (sink: ByteSink) => void): Buffer {
  const sink = idle ?? new ByteSink();
  idle = undefined;
  try {
    write(sink);
    return sink.finish();
  } finally {
    sink.reset();
    idle = sink;
  }
}
