/** Kinds of frames (RFC 9113 §6). */
export const FRAME = {
  data: 0x0,
  headers: 0x1,
  rstStream: 0x3,
  settings: 0x4,
  ping: 0x6,
  goaway: 0x7,
  windowUpdate: 0x8,
  continuation: 0x9,
} as const;

export const END_STREAM = 0x1;
/** Of SETTINGS and PING. */
export const ACK = 0x1;
export const END_HEADERS = 0x4;

/** What a client says before its first frame (RFC 9113 §3.4). */
export const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');

const FRAME_HEAD = 9;

export interface Frame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

/** A frame as bytes, valid or not: nothing is checked. */
export function frame(
  type: number,
  flags: number,
  stream: number,
  payload: Buffer = Buffer.alloc(0),
): Buffer {
  const head = Buffer.alloc(FRAME_HEAD);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** By number (RFC 9113 §6.5.2). */
export function settingsFrame(settings: Readonly<Record<number, number>>): Buffer {
  const payload = Object.entries(settings).map(([id, value]) => {
    const entry = Buffer.alloc(6);
    entry.writeUInt16BE(Number(id), 0);
    entry.writeUInt32BE(value, 2);
    return entry;
  });
  return frame(FRAME.settings, 0, 0, Buffer.concat(payload));
}

/** @param value an error code, a window's increment and so on. */
export function numberFrame(type: number, stream: number, value: number): Buffer {
  const payload = Buffer.alloc(4);
  payload.writeUInt32BE(value, 0);
  return frame(type, 0, stream, payload);
}

/** Takes the whole frames off a stream of bytes. */
export class FrameReader {
  #rest: Buffer = Buffer.alloc(0);

  read(bytes: Buffer): Frame[] {
    const frames: Frame[] = [];
    let all = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    while (all.length >= FRAME_HEAD && all.length >= FRAME_HEAD + all.readUIntBE(0, 3)) {
      const end = FRAME_HEAD + all.readUIntBE(0, 3);
      frames.push({
        type: all.readUInt8(3),
        flags: all.readUInt8(4),
        stream: all.readUInt32BE(5),
        payload: all.subarray(FRAME_HEAD, end),
      });
      all = all.subarray(end);
    }
    this.#rest = all;
    return frames;
  }
}
