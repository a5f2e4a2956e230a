import { clearTimeout, setTimeout } from 'node:timers';
import { shownValue, thrownText } from '@apix/contracts';
import { isPromiseLike } from '@apix/contracts/internal';
import { runWithin } from '../encode/interruptible.js';
import type { Encoder, EncoderContext } from '../encode/encoder.js';
import type { LogEvent } from '../event/log-event.js';
import { exit, flushAtExit } from './exit-flush.js';
import type { Sink } from './sink.js';

/** How long events wait, in milliseconds, so that many of them are encoded in one run. */
const GATHER_MS = 10;
const MAX_WAITING = 1024;
/** How long a line may take, at each of two attempts. */
const MAX_LINE_MS = 250;
const MAX_LINE_CHARS = 1024 * 1024;
/** Lines that did not end, after which the encoder is not called again. */
const MAX_HUNG = 3;

/** A sink whose lines are in a format of its user. */
export interface Receiver {
  readonly kind: string;
  readonly sink: Sink;
}

interface Waiting {
  readonly event: LogEvent;
  readonly receivers: Receiver[];
}

export interface OwnLinesOptions {
  readonly encoder: Encoder;
  readonly contextOf: (event: LogEvent) => EncoderContext;
  /** The line of an event when the encoder is not called any more. */
  readonly instead: (event: LogEvent) => string;
  /** Reports what failed and why. Must not throw. */
  readonly failed: (what: string, cause: unknown) => void;
}

// Why: docs/decisions/0411
/**
 * The lines of sinks in a format of its user, which is foreign code: it never runs inside of the call that
 * logs, and nothing that it does keeps other events from being written.
 */
export class OwnLines {
  #waiting: Waiting[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isRunning = false;
  #hung = 0;
  readonly #receivers = new Set<Receiver>();
  readonly #leaveExit: () => void;

  constructor(private readonly options: OwnLinesOptions) {
    this.#leaveExit = flushAtExit({ flushSync: () => this.#onExit() });
  }

  add(event: LogEvent, receiver: Receiver): void {
    // What the encoder or its sinks log would be encoded for ever.
    if (this.#isRunning) return;
    this.#receivers.add(receiver);
    const last = this.#waiting.at(-1);
    if (last?.event === event) last.receivers.push(receiver);
    else this.#waiting.push({ event, receivers: [receiver] });
    if (exit.hasBegun) return this.#onExit();
    if (this.#waiting.length > MAX_WAITING) return this.run();
    this.#timer ??= setTimeout(() => this.run(), GATHER_MS);
  }

  /** Encodes all events that wait, and gives the lines to their sinks. */
  run(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const waiting = this.#waiting;
    this.#waiting = [];
    try {
      const lines = this.#encoded(waiting);
      for (let i = 0; i < waiting.length; i++) this.#give(waiting[i]!, lines[i]!);
    } finally {
      this.#isRunning = false;
    }
  }

  /** Encodes what waits for the last time. */
  close(): void {
    this.run();
    this.#leaveExit();
  }

  #onExit(): void {
    this.run();
    for (const { kind, sink } of this.#receivers) {
      this.#guarded(`${kind} could not be flushed`, () => sink.flushSync?.());
    }
  }

  /** A line for each event, or why there is none. */
  #encoded(waiting: readonly Waiting[]): readonly (string | Error)[] {
    const lines: (string | Error)[] = [];
    let first = 0;
    let attempts = 0;
    while (lines.length < waiting.length) {
      if (this.#hung >= MAX_HUNG) {
        lines.push(this.#insteadOf(waiting[lines.length]!.event));
        continue;
      }
      const ended = runWithin(MAX_LINE_MS, () => {
        while (lines.length < waiting.length && this.#hung < MAX_HUNG) {
          lines.push(this.#lineOf(waiting[lines.length]!.event));
        }
      });
      if (ended) continue;
      // The time may have been spent by the events before: only one that is first in a run has used all of it.
      attempts = lines.length === first ? attempts + 1 : 0;
      first = lines.length;
      if (attempts < 2) continue;
      attempts = 0;
      lines.push(this.#interrupted(`did not return within ${MAX_LINE_MS} ms, twice`));
      first = lines.length;
    }
    return lines;
  }

  #lineOf(event: LogEvent): string | Error {
    try {
      const line: unknown = this.options.encoder.encode(event, this.options.contextOf(event));
      if (isPromiseLike(line)) {
        // Nobody waits for it, so its rejection must not end the process.
        line.then(undefined, () => {});
        return this.#interrupted('returned a promise; a line must be a string');
      }
      if (typeof line !== 'string')
        return new TypeError(`returned ${shownValue(line)}; a line must be a string`);
      if (line.length > MAX_LINE_CHARS) {
        return new RangeError(
          `returned ${line.length} characters; at most ${MAX_LINE_CHARS} are written`,
        );
      }
      return line.endsWith('\n') ? line : `${line}\n`;
    } catch (cause) {
      return new Error(`threw: ${thrownText(cause)}`, { cause });
    }
  }

  #interrupted(what: string): Error {
    this.#hung++;
    const isLast = this.#hung === MAX_HUNG;
    return new Error(isLast ? `${what}; it is not called again, and its sinks get JSON` : what);
  }

  #insteadOf(event: LogEvent): string | Error {
    try {
      return this.options.instead(event);
    } catch (cause) {
      return new Error(`threw: ${thrownText(cause)}`, { cause });
    }
  }

  #give({ event, receivers }: Waiting, line: string | Error): void {
    if (typeof line !== 'string') {
      const { name = 'own' } = this.options.encoder;
      this.options.failed(`the format ${name} could not encode an event`, line);
      return;
    }
    for (const { kind, sink } of receivers) {
      this.#guarded(`${kind} could not write`, () => sink.write!(line, event));
    }
  }

  #guarded(what: string, act: () => void): void {
    try {
      act();
    } catch (cause) {
      this.options.failed(what, cause);
    }
  }
}
