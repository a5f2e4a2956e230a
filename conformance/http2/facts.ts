import { ConnectionError } from '../../libs/http2/src/frames/frames.js';
import { withoutPadding } from '../../libs/http2/src/frames/header-block.js';
import { CompressionError } from '../../libs/http2/src/hpack/compression-error.js';
import { HeaderDecoder } from '../../libs/http2/src/hpack/header-decoder.js';
import {
  ACK,
  END_HEADERS,
  END_STREAM,
  FRAME,
  type Frame,
  FrameReader,
  PREFACE,
} from '../../tools/testing/http2-frames.js';
import type { Pairs } from './random-encoder.js';
import { HAS_PRIORITY, PADDED, PRIORITY, PUSH_PROMISE } from './conversation.js';
import type { Sequence } from './sequences.js';

const LAST_STREAM = 0x7fffffff;
const MAX_FRAME = 16_384;
/** The bytes of 32 of them, which nghttp2 takes. */
const MANY_SETTINGS = 192;
/** Bytes of a payload that has one length only. */
const LENGTHS: Readonly<Record<number, number>> = {
  [PRIORITY]: 5,
  [FRAME.rstStream]: 4,
  [FRAME.ping]: 8,
  [FRAME.windowUpdate]: 4,
};
const OF_CONNECTION: ReadonlySet<number> = new Set([FRAME.settings, FRAME.ping, FRAME.goaway]);

/** What is odd about a sequence; known differences between servers go by it. */
export class Facts {
  /** By what is odd: the streams that have it, 0 for the connection. */
  readonly #found = new Map<string, Set<number>>();
  readonly #blocks = new Blocks();
  readonly #begun = new Set<number>();
  readonly #ended = new Set<number>();
  readonly #windows = new Map<number, number>();
  #initialWindow = 65_535;
  #answers = 0;

  constructor({ first, second }: Sequence) {
    const bytes = Buffer.concat([...first, ...second]).subarray(PREFACE.length);
    for (const frame of new FrameReader().read(bytes)) {
      this.#look({ ...frame, stream: frame.stream & LAST_STREAM });
    }
  }

  has(what: string, stream: number): boolean {
    return this.#found.get(what)?.has(stream) === true;
  }

  /** Of any stream, or the connection. */
  hasAny(what: string): boolean {
    return this.#found.has(what);
  }

  toString(): string {
    return [...this.#found].map(([what, streams]) => `${what} (${[...streams].join()})`).join('; ');
  }

  #note(what: string, stream: number): void {
    this.#found.set(what, (this.#found.get(what) ?? new Set()).add(stream));
  }

  #look(frame: Frame): void {
    const { type, flags } = frame;
    const hasAck = (flags & ACK) !== 0;
    if (type === FRAME.goaway) this.#note('a GOAWAY', 0);
    if (type === FRAME.ping && hasAck) this.#note('an answer to no ping', 0);
    if (type === FRAME.settings && hasAck) this.#answers += 1;
    if (this.#answers > 1) this.#note('an answer to no settings', 0);
    this.#lookAtForm(frame);
    this.#lookAtPriority(frame);
    this.#lookAtWindows(frame);
    this.#lookAtEnds(frame);
    if (type === FRAME.headers || type === FRAME.continuation) this.#lookAtHeaders(frame);
  }

  #lookAtForm({ type, flags, stream, payload }: Frame): void {
    const length = LENGTHS[type];
    const isOfOne = OF_CONNECTION.has(type) === (stream !== 0) || !this.#begun.has(stream);
    const isLong = payload.length > MAX_FRAME;
    if ((length !== undefined && payload.length !== length && isOfOne) || (isLong && isOfOne)) {
      this.#note('two mistakes in one frame', 0);
    }
    const isSettings = type === FRAME.settings;
    const hasWrongSettings =
      isSettings && (payload.length % 6 > 0 || ((flags & ACK) !== 0 && payload.length > 0));
    if (hasWrongSettings && stream !== 0) this.#note('two mistakes in one frame', 0);
    if (type === FRAME.goaway && payload.length < 8 && stream !== 0)
      this.#note('two mistakes in one frame', 0);
    if (type === PUSH_PROMISE) this.#note('a promise to push', 0);
    if (type === FRAME.continuation && isLong) this.#note('a continuation that is too long', 0);
    const mayPad = type === FRAME.data || type === FRAME.headers;
    if (mayPad && (flags & PADDED) !== 0) {
      const skipped = 1 + (type === FRAME.headers && (flags & HAS_PRIORITY) !== 0 ? 5 : 0);
      if (payload.length < skipped + (payload[0] ?? 0)) this.#note('padding that is too long', 0);
    }
    if (type === FRAME.headers && (flags & HAS_PRIORITY) !== 0 && payload.length < 5)
      this.#note('padding that is too long', 0);
  }

  #lookAtPriority({ type, flags, stream, payload }: Frame): void {
    if (type === PRIORITY && stream === 0) this.#note('a priority of no stream', 0);
    const at = type === FRAME.headers && (flags & PADDED) !== 0 ? 1 : 0;
    const hasPriority =
      type === PRIORITY || (type === FRAME.headers && (flags & HAS_PRIORITY) !== 0);
    if (!hasPriority || payload.length < at + 4) return;
    if ((payload.readUInt32BE(at) & LAST_STREAM) === stream)
      this.#note('a stream that depends on itself', 0);
  }

  #lookAtWindows({ type, flags, stream, payload }: Frame): void {
    if (type === FRAME.settings && payload.length > MANY_SETTINGS) this.#note('many settings', 0);
    if (type === FRAME.settings && (flags & ACK) === 0) {
      const seen = new Set<number>();
      for (let at = 0; at + 6 <= payload.length; at += 6) {
        const id = payload.readUInt16BE(at);
        if (id === 8 || id === 9) this.#note('a setting of a later RFC', 0);
        if (seen.has(id)) this.#note('a setting twice in one frame', 0);
        seen.add(id);
        if (id !== 4) continue;
        this.#note('a window by settings', 0);
        this.#initialWindow = Math.max(this.#initialWindow, payload.readUInt32BE(at + 2));
      }
    }
    if (type === FRAME.windowUpdate && payload.length === 4) {
      const more = payload.readUInt32BE(0) & LAST_STREAM;
      if (more === 0) this.#note('a window of 0 more', stream);
      this.#windows.set(stream, (this.#windows.get(stream) ?? 0) + more);
    }
    for (const [id, more] of this.#windows) {
      const before = id === 0 ? 65_535 : this.#initialWindow;
      if (before + more > LAST_STREAM) this.#note('a window that overflows', 0);
    }
  }

  #lookAtEnds({ type, flags, stream }: Frame): void {
    const isMore = type === FRAME.data || type === FRAME.headers;
    if (isMore && this.#ended.has(stream)) this.#note('more after the end', 0);
    const ends = isMore && (flags & END_STREAM) !== 0;
    if (type === FRAME.rstStream) this.#note('a reset', 0);
    if (ends || type === FRAME.rstStream) this.#ended.add(stream);
  }

  #lookAtHeaders(frame: Frame): void {
    const block = this.#blocks.take(frame);
    if (frame.type === FRAME.headers && frame.stream % 2 === 0) {
      this.#note('two mistakes in one frame', 0);
    }
    if ((frame.flags & END_HEADERS) === 0) this.#note('a block of several frames', 0);
    if (this.#blocks.isLong) this.#note('a block of many frames', 0);
    if (block === undefined) return;
    const { stream, headers } = block;
    const isTrailers = this.#begun.has(stream);
    this.#begun.add(stream);
    for (const [name, value] of headers) this.#lookAtField(stream, name, value);
    if (headers.some(([name]) => name === 'content-length')) this.#note('a length', 0);
    if (headers.length > 128) this.#note('many headers', stream);
    if (isTrailers && headers.some(([name]) => name === 'host')) {
      this.#note('trailers with a host', stream);
    }
    if (isTrailers && headers.some(([name]) => name === 'content-length')) {
      this.#note('trailers with a length', stream);
    }
    const valueOf = (wanted: string): string | undefined =>
      headers.find(([name]) => name === wanted)?.[1];
    const isWeb = /^https?$/i.test(valueOf(':scheme') ?? '');
    if (!isWeb && valueOf(':path')?.startsWith('/') === false) {
      this.#note('a path of another scheme', stream);
    }
    const [host, authority] = [valueOf('host'), valueOf(':authority')];
    if (host !== undefined && authority !== undefined && host !== authority) {
      this.#note('a host that is not the authority', stream);
    }
  }

  #lookAtField(stream: number, name: string, value: string): void {
    if (/^[ \t]|[ \t]$/.test(value)) this.#note('space around a value', stream);
    if (!/^:?[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name))
      this.#note('a name that is no token', stream);
    if (name === ':authority' && value.includes('@')) this.#note('a user in the authority', stream);
    if (/[^\t -~\u0080-\u00ff]/.test(value)) this.#note('a control character', stream);
    if (name.length + value.length > 60_000) this.#note('a long header', 0);
  }
}

interface Block {
  readonly stream: number;
  readonly headers: Pairs;
}

/** The header blocks of a sequence, as long as they can be read. */
class Blocks {
  readonly #decoder = new HeaderDecoder();
  #parts: Buffer[] = [];
  #isBroken = false;

  get isLong(): boolean {
    return this.#parts.length > 8;
  }

  take({ type, flags, stream, payload }: Frame): Block | undefined {
    if (this.#isBroken) {
      this.#parts.push(payload);
      return undefined;
    }
    try {
      if (type === FRAME.continuation) this.#parts.push(payload);
      else this.#parts = [withoutPadding(flags, payload, (flags & HAS_PRIORITY) === 0 ? 0 : 5)];
      if ((flags & END_HEADERS) === 0) return undefined;
      const headers: [string, string][] = [];
      this.#decoder.decode(Buffer.concat(this.#parts), ({ name, value }) =>
        headers.push([name, value]),
      );
      return { stream, headers };
    } catch (error) {
      if (!(error instanceof CompressionError || error instanceof ConnectionError)) throw error;
      this.#isBroken = true;
      return undefined;
    }
  }
}
