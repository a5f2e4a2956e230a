import { ConnectionError, HTTP2_ERROR, MAX_WINDOW_BYTES } from './frames.js';

/** The error for a violation of the protocol by the other end. */
export function broken(message: string): ConnectionError {
  return new ConnectionError(HTTP2_ERROR.protocol, message);
}

/** @throws ConnectionError for a payload of another length. */
export function assertLength(payload: Buffer, length: number): void {
  if (payload.length === length) return;
  throw new ConnectionError(
    HTTP2_ERROR.frameSize,
    `a frame of ${payload.length} bytes, not ${length}`,
  );
}

/** @throws ConnectionError for a frame that is not of the connection itself. */
export function assertOfSession(stream: number): void {
  if (stream !== 0) throw broken('a frame of the connection that names a stream');
}

/** @throws ConnectionError for a window that has grown too large. */
export function assertWindow(bytes: number): void {
  if (bytes <= MAX_WINDOW_BYTES) return;
  throw new ConnectionError(HTTP2_ERROR.flowControl, 'a window that overflows');
}
