/** Flags, and the length of the message in four bytes: as gRPC, gRPC-Web and the streams of Connect have it. */
const HEAD_BYTES = 5;

/** A message between two heads. */
export interface MessageFrame {
  readonly flags: number;
  readonly text: string;
}

export function inFrames(messages: readonly string[]): Uint8Array<ArrayBuffer> {
  const frames = messages.map((message) => {
    const bytes = new TextEncoder().encode(message);
    const frame = new Uint8Array(HEAD_BYTES + bytes.length);
    new DataView(frame.buffer).setUint32(1, bytes.length);
    frame.set(bytes, HEAD_BYTES);
    return frame;
  });
  return joinedBytes(frames);
}

/** Reads frames from bytes that come in any pieces. */
export class FrameReader {
  #rest: Uint8Array = new Uint8Array();

  take(bytes: Uint8Array): MessageFrame[] {
    this.#rest = joinedBytes([this.#rest, bytes]);
    const frames: MessageFrame[] = [];
    while (this.#rest.length >= HEAD_BYTES) {
      const { buffer, byteOffset } = this.#rest;
      const end = HEAD_BYTES + new DataView(buffer, byteOffset).getUint32(1);
      if (this.#rest.length < end) break;
      const text = new TextDecoder().decode(this.#rest.subarray(HEAD_BYTES, end));
      frames.push({ flags: this.#rest[0]!, text });
      this.#rest = this.#rest.subarray(end);
    }
    return frames;
  }
}

function joinedBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
