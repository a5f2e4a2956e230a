import type { IncomingMessage } from 'node:http';
import { BodyChunks } from '@apix/calls/internal';
import { Code } from '@apix/contracts';
import { type HttpRefusal, refusal } from '../errors.js';
import type { ResolvedTranscoding } from '../options.js';
import type { BodyBudget, BodyHolder, ReadAheadShare } from './body-budget.js';

/** What all bodies have in common. */
interface ReaderRules {
  readonly options: Pick<ResolvedTranscoding, 'bodyTimeout'>;
  readonly budget: BodyBudget;
}

/** The result of reading a body. */
export interface BodyOutcome {
  /** Its bytes count as waiting until it returns, or its promise is settled. */
  onBody(bytes: Buffer): void | Promise<void>;
  /** The body is not wanted, or not complete; nothing more is read of it. */
  onFailure(error: unknown): void;
}

/**
 * Reads a request body, of which never more than the limit is kept in memory: 413 beyond it, 408
 * when it takes too long, 503 when too much waits of all bodies together.
 */
export class BodyReader implements BodyHolder {
  readonly heldSince = performance.now();
  readonly #chunks = new BodyChunks();
  #isAdmitted = false;
  /** What was read is as much as may be, until the caller is let in. */
  #isHeldBack = false;
  #isComplete = false;
  readonly #timer: NodeJS.Timeout;

  constructor(
    private readonly req: IncomingMessage,
    private readonly rules: ReaderRules,
    private readonly maxBytes: number,
    private readonly ahead: ReadAheadShare,
    private readonly outcome: BodyOutcome,
  ) {
    const { bodyTimeout } = rules.options;
    this.#timer = setTimeout(() => this.#fail(tooSlow(bodyTimeout)), bodyTimeout);
    if (ahead.isNone) this.#holdBack();
    req.on('data', this.#onData).on('end', this.#onEnd).on('error', this.#onBreak);
    req.on('close', this.#onBreak);
  }

  get heldBytes(): number {
    return this.#chunks.size;
  }

  /** Reads to the end of the body, whatever its size. */
  admit(): void {
    if (this.#isAdmitted) return;
    this.#isAdmitted = true;
    if (!this.#isHeldBack) return;
    this.#isHeldBack = false;
    if (this.#isComplete) this.#finish();
    else this.req.resume();
  }

  /** Drops what was read, and stops reading. */
  stop(): void {
    this.#leave();
    this.req.pause();
    this.#drop();
  }

  giveUp(error: HttpRefusal): void {
    this.#fail(error);
  }

  readonly #onData = (chunk: Buffer): void => {
    if (this.#chunks.size + chunk.length > this.maxBytes) {
      this.#fail(tooLarge(this.maxBytes));
      return;
    }
    try {
      this.rules.budget.take(this, chunk.length);
    } catch (error) {
      this.#fail(error);
      return;
    }
    this.#chunks.add(chunk);
    if (this.#isAdmitted || (!this.#isHeldBack && this.ahead.take(chunk.length))) return;
    this.#holdBack();
  };

  #holdBack(): void {
    this.#isHeldBack = true;
    this.req.pause();
  }

  readonly #onEnd = (): void => {
    this.#isComplete = true;
    if (!this.#isHeldBack) this.#finish();
  };

  readonly #onBreak = (): void => {
    if (this.#isComplete) return;
    this.#fail(refusal(Code.CANCELLED, 'the request ended before its body'));
  };

  #finish(): void {
    this.#leave();
    let reading: void | Promise<void> = undefined;
    try {
      reading = this.outcome.onBody(this.#chunks.joined());
    } finally {
      if (reading === undefined) this.#drop();
    }
    void reading?.finally(() => this.#drop());
  }

  #fail(error: unknown): void {
    this.stop();
    this.outcome.onFailure(error);
  }

  #leave(): void {
    clearTimeout(this.#timer);
    const { req } = this;
    req.off('data', this.#onData).off('end', this.#onEnd).off('error', this.#onBreak);
    req.off('close', this.#onBreak);
  }

  #drop(): void {
    const bytes = this.#chunks.size;
    this.#chunks.clear();
    this.rules.budget.giveBack(this, bytes);
  }
}

/** The refusal of a body that is too long. */
export function tooLarge(maxBytes: number): HttpRefusal {
  const message = `request body: more than ${maxBytes} bytes`;
  return refusal(Code.RESOURCE_EXHAUSTED, message, { httpStatus: 413 });
}

function tooSlow(bodyTimeout: number): HttpRefusal {
  return incomplete(`request body: not complete after ${bodyTimeout} ms`);
}

/** The refusal of a body that is not complete when its call has to end. */
export function overdue(): HttpRefusal {
  return incomplete('request body: not complete at the deadline of the call');
}

function incomplete(message: string): HttpRefusal {
  return refusal(Code.DEADLINE_EXCEEDED, message, { httpStatus: 408 });
}
