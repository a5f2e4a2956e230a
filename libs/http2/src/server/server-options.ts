import { DEFAULT_WINDOW_BYTES, MAX_WINDOW_BYTES } from '../frames/frames.js';

/** What a connection at the server may be set to. Everything else that bounds it is fixed, as the README states it. */
export interface ServerSessionOptions {
  /** Streams of one connection at a time; further ones are refused. Default: 100. */
  readonly maxStreams?: number;
  /** Bytes of a request that may be on their way, or wait to be read. Default: 65,535. */
  readonly windowBytes?: number;
}

const MAX_STREAMS = 100;

/** @throws RangeError */
export function resolveServerOptions({
  maxStreams = MAX_STREAMS,
  windowBytes = DEFAULT_WINDOW_BYTES,
}: ServerSessionOptions): Required<ServerSessionOptions> {
  assertWhole('maxStreams', maxStreams, 2 ** 32 - 1);
  assertWhole('windowBytes', windowBytes, MAX_WINDOW_BYTES);
  return { maxStreams, windowBytes };
}

function assertWhole(name: string, value: number, most: number): void {
  if (Number.isInteger(value) && value >= 1 && value <= most) return;
  throw new RangeError(`http2: ${name} must be a whole number from 1 to ${most}, not ${value}`);
}
