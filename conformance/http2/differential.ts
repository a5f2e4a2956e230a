import { CompressionError } from '../../libs/http2/src/hpack/compression-error.js';
import { HeaderDecoder } from '../../libs/http2/src/hpack/header-decoder.js';
import { END_HEADERS, END_STREAM, FRAME, type Frame } from '../../tools/testing/http2-frames.js';
import type { Sequence } from './sequences.js';
import type { Side } from './servers.js';
import { Wire } from './wire.js';

/** How a connection and its streams have ended, or have not. */
export interface Outcome {
  /** `open`, `closed`, or `goaway` with its code. */
  readonly connection: string;
  readonly streams: ReadonlyMap<number, string>;
  /** Of all answers. */
  readonly sentBytes: number;
  /** Whether the server waits for the rest of a frame. */
  readonly isMute: boolean;
  /** What must never be. */
  readonly problems: readonly string[];
  /** Why the connection was ended. */
  readonly reason: string | undefined;
}

/**
 * Plays a sequence to a server.
 *
 * @param rounds how long a server must be quiet until it counts as done, in pings.
 */
export async function play(
  sequence: Sequence,
  open: (wire: Wire) => Side,
  rounds: number,
): Promise<Outcome> {
  const wire = new Wire();
  const side = open(wire);
  for (const part of [sequence.first, sequence.second]) {
    if (part.length === 0) continue;
    for (const bytes of part) if (!wire.isOver) wire.push(bytes);
    await wire.settle(rounds);
    side.release();
    await wire.settle(rounds);
  }
  const answers = new Answers();
  for (const frame of wire.frames) answers.take(frame);
  const connection = answers.goaway ?? (wire.isOver ? 'closed' : 'open');
  wire.push(null);
  const problems = [...answers.problems, ...(await side.closed())];
  for (const [id, answer] of answers.streams) {
    if (answer.status !== undefined && !side.streams.has(id)) {
      problems.push(`stream ${id} is answered, and was not asked`);
    }
  }
  const streams = new Map([...answers.streams].map(([id, it]) => [id, shown(it)]));
  const { isMute } = wire;
  const sentBytes = answers.bytes;
  return { connection, streams, sentBytes, isMute, problems, reason: side.reason };
}

interface Answer {
  status: string | undefined;
  readonly data: Buffer[];
  trailers: string;
  isEnded: boolean;
  reset: number | undefined;
}

/** What the frames of a server say, which must be in order. */
class Answers {
  readonly streams = new Map<number, Answer>();
  readonly problems: string[] = [];
  goaway: string | undefined;
  bytes = 0;
  readonly #decoder = new HeaderDecoder();
  #block: Buffer[] = [];
  #ends = false;

  take({ type, flags, stream, payload }: Frame): void {
    if (this.#block.length > 0 && type !== FRAME.continuation) {
      this.problems.push('a header block is interrupted');
    }
    const ends = (flags & END_STREAM) !== 0;
    switch (type) {
      case FRAME.headers:
        this.#ends = ends;
        this.#takeBlock(stream, payload, flags);
        break;
      case FRAME.continuation:
        this.#takeBlock(stream, payload, flags);
        break;
      case FRAME.data: {
        const answer = this.#of(stream, 'data');
        if (answer.status === undefined) this.problems.push('data before headers');
        answer.data.push(payload);
        answer.isEnded = ends;
        this.bytes += payload.length;
        break;
      }
      case FRAME.rstStream:
        this.#of(stream, undefined).reset ??= payload.readUInt32BE(0);
        break;
      case FRAME.goaway: {
        const code = payload.readUInt32BE(4);
        if (code > 0) this.goaway ??= `goaway ${code}`;
      }
    }
  }

  #takeBlock(stream: number, payload: Buffer, flags: number): void {
    this.#block.push(payload);
    if ((flags & END_HEADERS) === 0) return;
    const answer = this.#of(stream, 'headers');
    const headers: string[] = [];
    try {
      this.#decoder.decode(Buffer.concat(this.#block), ({ name, value }) => {
        if (name !== 'date') headers.push(`${name}: ${value}`);
      });
    } catch (error) {
      if (!(error instanceof CompressionError)) throw error;
      this.problems.push(`headers that cannot be decoded: ${error.message}`);
    }
    this.#block = [];
    if (answer.status === undefined) answer.status = headers.join(', ');
    else answer.trailers = headers.join(', ');
    answer.isEnded = this.#ends;
  }

  #of(stream: number, what: string | undefined): Answer {
    let answer = this.streams.get(stream);
    if (answer === undefined) {
      answer = { status: undefined, data: [], trailers: '', isEnded: false, reset: undefined };
      this.streams.set(stream, answer);
    }
    if (what !== undefined && (answer.isEnded || answer.reset !== undefined)) {
      this.problems.push(`${what} after the end of stream ${stream}`);
    }
    return answer;
  }
}

/** What windows hold back is an answer too. */
function shown({ status, data, trailers, isEnded, reset }: Answer): string {
  if (!isEnded && reset !== undefined) return `reset ${reset}`;
  const body = Buffer.concat(data);
  const text = body.length > 2_000 || !isEnded ? '' : body.toString();
  return `answer ${status}${isEnded ? ` ${text} ${trailers}` : ' in part'}`;
}
