/** Types of frames (RFC 9113, 6). */
export const FRAME = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

export const FLAG = {
  endStream: 1,
  ack: 1,
  endHeaders: 4,
  padded: 8,
  priority: 32,
} as const;

/** RFC 9113, 7. */
export const HTTP2_ERROR = {
  none: 0,
  protocol: 1,
  internal: 2,
  flowControl: 3,
  streamClosed: 5,
  frameSize: 6,
  refusedStream: 7,
  cancel: 8,
  compression: 9,
  enhanceYourCalm: 11,
  inadequateSecurity: 12,
} as const;

/** Settings (RFC 9113, 6.5.2). */
export const SETTING = {
  headerTableSize: 1,
  enablePush: 2,
  maxConcurrentStreams: 3,
  initialWindowSize: 4,
  maxFrameSize: 5,
  maxHeaderListSize: 6,
} as const;

export const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1');

/** Of every frame. */
export const HEAD_BYTES = 9;

/** The longest payload, unless the other end takes longer ones; ours does not. */
export const MAX_PAYLOAD_BYTES = 16_384;

/** Of streams and connections, unless settings or frames say otherwise. */
export const DEFAULT_WINDOW_BYTES = 65_535;

export const MAX_WINDOW_BYTES = 2 ** 31 - 1;

/** What is wrong with a connection: it ends with all of its streams (RFC 9113, 5.4.1). */
export class ConnectionError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

/** Writes the header of a frame at the start of its bytes. */
export function writeHead(
  bytes: Buffer,
  length: number,
  type: number,
  flags: number,
  stream: number,
): Buffer {
  bytes[0] = length >>> 16;
  bytes[1] = length >>> 8;
  bytes[2] = length;
  bytes[3] = type;
  bytes[4] = flags;
  bytes.writeUInt32BE(stream, 5);
  return bytes;
}

/** A frame whose payload is numbers of 32 bits. */
export function wordFrame(
  type: number,
  flags: number,
  stream: number,
  ...words: readonly number[]
): Buffer {
  const length = words.length * 4;
  const bytes = writeHead(Buffer.allocUnsafe(HEAD_BYTES + length), length, type, flags, stream);
  for (const [at, word] of words.entries()) bytes.writeUInt32BE(word, HEAD_BYTES + at * 4);
  return bytes;
}

/** Settings as number and value. */
export function settingsFrame(settings: readonly (readonly [number, number])[]): Buffer {
  const length = settings.length * 6;
  const bytes = writeHead(Buffer.allocUnsafe(HEAD_BYTES + length), length, FRAME.settings, 0, 0);
  for (const [at, [id, value]] of settings.entries()) {
    bytes.writeUInt16BE(id, HEAD_BYTES + at * 6);
    bytes.writeUInt32BE(value, HEAD_BYTES + at * 6 + 2);
  }
  return bytes;
}

/** @param text for those who debug the other end. */
export function goawayFrame(lastStream: number, code: number, text: string): Buffer {
  const data = Buffer.from(text);
  const length = 8 + data.length;
  const bytes = writeHead(Buffer.allocUnsafe(HEAD_BYTES + length), length, FRAME.goaway, 0, 0);
  bytes.writeUInt32BE(lastStream, HEAD_BYTES);
  bytes.writeUInt32BE(code, HEAD_BYTES + 4);
  data.copy(bytes, HEAD_BYTES + 8);
  return bytes;
}
