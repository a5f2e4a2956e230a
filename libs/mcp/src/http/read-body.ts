import type { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { BodyChunks, bodyReadBefore } from '@apix/calls/internal';
import { RpcCode, RpcError } from '../rpc/rpc-error.js';

/** How large bodies may be, and how long they may take. */
export interface McpBodyLimits {
  readonly maxBodyBytes: number;
  readonly maxBodyBytesInAll: number;
  /** In milliseconds. */
  readonly bodyTimeout: number;
}

/** A body that is being read. */
interface WaitingBody {
  readonly chunks: BodyChunks;
  /** When it is given up, by `performance.now()`. */
  readonly until: number;
  /** Gives all of it back, and refuses the request. */
  readonly giveUp: (error: RpcError) => void;
}

/** Reads the bodies of requests, each to its end, within bounds of each and of all. */
export class Bodies {
  readonly #limits: McpBodyLimits;
  /** In the order in which they began. */
  readonly #waiting = new Set<WaitingBody>();
  #waitingBytes = 0;
  /** One for all of them: most are complete at once. */
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: McpBodyLimits) {
    this.#limits = limits;
  }

  /** @throws RpcError, or rejects with it: 413, 415, 408, 503, and 400 for a body that ends early. */
  read(req: IncomingMessage): Buffer | Promise<Buffer> {
    assertJson(req);
    const { maxBodyBytes } = this.#limits;
    const kept = keptBody(req);
    const announced = kept?.length ?? Number(req.headers['content-length'] ?? 0);
    if (announced > maxBodyBytes) throw tooLarge(maxBodyBytes);
    return kept ?? this.#readRest(req);
  }

  #readRest(req: IncomingMessage): Promise<Buffer> {
    const { maxBodyBytes, bodyTimeout } = this.#limits;
    const chunks = new BodyChunks();
    return new Promise<Buffer>((resolve, reject) => {
      const leave = (): void => {
        this.#waitingBytes -= chunks.size;
        this.#waiting.delete(body);
        req.off('data', onData).off('end', onEnd).off('error', onBreak).off('close', onBreak);
      };
      const giveUp = (error: RpcError): void => {
        leave();
        req.pause();
        reject(error);
      };
      const body = { chunks, giveUp, until: performance.now() + bodyTimeout };
      const onData = (chunk: Buffer): void => {
        if (chunks.size + chunk.length > maxBodyBytes) {
          giveUp(tooLarge(maxBodyBytes));
          return;
        }
        this.#waitingBytes += chunk.length;
        chunks.add(chunk);
        this.#makeRoom();
      };
      const onEnd = (): void => {
        leave();
        resolve(chunks.joined());
      };
      const onBreak = (): void => giveUp(refused(400, 'the request ended before its body'));
      this.#waiting.add(body);
      if (this.#timer === undefined) this.#wait(bodyTimeout);
      req.on('data', onData).on('end', onEnd).on('error', onBreak).on('close', onBreak);
    });
  }

  #wait(ms: number): void {
    this.#timer = setTimeout(() => this.#giveUpLate(), ms).unref();
  }

  /** Gives up bodies whose time is over, and waits for the next one. */
  #giveUpLate(): void {
    this.#timer = undefined;
    const { bodyTimeout } = this.#limits;
    for (const { until, giveUp } of this.#waiting) {
      const rest = until - performance.now();
      if (rest > 0) {
        this.#wait(Math.ceil(rest));
        return;
      }
      giveUp(refused(408, `the request body is not complete after ${bodyTimeout} ms`));
    }
  }

  /**
   * Gives up the largest bodies while there are too many bytes: their callers may not be let in, which is only known
   * once a message is complete, and they must not keep small messages of others out. A single body is taken whatever its size.
   */
  // Why: docs/decisions/0527
  #makeRoom(): void {
    while (this.#waitingBytes > this.#limits.maxBodyBytesInAll) {
      let largest: WaitingBody | undefined;
      for (const body of this.#waiting) {
        if (largest === undefined || body.chunks.size > largest.chunks.size) largest = body;
      }
      if (largest === undefined || largest.chunks.size === this.#waitingBytes) return;
      largest.giveUp(tooMany());
    }
  }
}

function assertJson(req: IncomingMessage): void {
  const type = req.headers['content-type'] ?? '';
  // A page of any origin can send other types without being asked.
  if (!/^application\/json\s*(?:;\s*charset="?utf-?8"?\s*)?$/i.test(type)) {
    throw refused(415, 'the content type must be application/json, in UTF-8');
  }
  const coding = req.headers['content-encoding'] ?? 'identity';
  if (coding.toLowerCase() !== 'identity') {
    throw refused(415, 'the body must not be compressed');
  }
}

/** The bytes of a body that middleware has read before; undefined if nothing has. */
function keptBody(req: IncomingMessage): Buffer | undefined {
  const bytes = bodyReadBefore(req);
  if (bytes !== 'lost') return bytes;
  throw new RpcError(
    RpcCode.INTERNAL_ERROR,
    'a middleware has read the request body before; let it leave this path alone, or keep the bytes in req.rawBody',
    { status: 500 },
  );
}

function tooLarge(maxBodyBytes: number): RpcError {
  return refused(413, `the request body has more than ${maxBodyBytes} bytes`);
}

function tooMany(): RpcError {
  const options = { status: 503, headers: { 'retry-after': '1' } };
  return new RpcError(
    RpcCode.REFUSED,
    'too many request bodies are being received; try again later',
    options,
  );
}

function refused(status: number, message: string): RpcError {
  return new RpcError(RpcCode.REFUSED, message, { status });
}
