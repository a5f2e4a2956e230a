import { AsyncResource } from 'node:async_hooks';
import type { Metadata, StatusObject } from '@grpc/grpc-js';
import { roughSize } from '../flow/rough-size.js';

/** What one side of a call sends to the other. */
export type Letter =
  | { readonly kind: 'start' }
  | { readonly kind: 'metadata'; readonly metadata: Metadata }
  | MessageLetter
  | { readonly kind: 'half-close' }
  | { readonly kind: 'status'; readonly status: StatusObject; readonly fromServer: boolean }
  | { readonly kind: 'cancel' };

interface MessageLetter {
  readonly kind: 'message';
  readonly body: unknown;
  /** Bytes, roughly; undefined where no message lay before it. */
  size?: number;
}

/** The side whose mailbox it is. */
export interface Recipient {
  receive(letter: Letter): void;
}

/** The asynchronous context of a side of a call. */
export type SideContext = Pick<AsyncResource, 'runInAsyncScope'>;

/** The asynchronous context that this is called in, to come back to. */
export function contextOfNow(): AsyncResource {
  return new AsyncResource('ApixInProcessCall', { requireManualDestroy: true });
}

/** After so many hops in a row, of all calls together, I/O and timers get a turn. */
const HOPS_PER_TURN = 256;

let hopsInARow = 0;

/**
 * Goes to the other side of a call: in a microtask, so that neither side runs inside of the other's stack, and with the
 * asynchronous context of the side that is entered, so that a handler does not find its caller's `AsyncLocalStorage`
 * values, as it does not over the wire. Schedules in the context rather than running in it: `enterWith` must not
 * change it.
 */
export function hop(context: SideContext, run: () => void): void {
  hopsInARow = (hopsInARow + 1) % HOPS_PER_TURN;
  context.runInAsyncScope(hopsInARow === 0 ? setImmediate : queueMicrotask, undefined, run);
}

/** Messages that may lie in a mailbox before its sender is held up. */
export const MAILBOX_ROOM = 16;

/** The same in bytes, of those behind the first one. */
const MAILBOX_ROOM_BYTES = 64 * 1024;

/** Letters that are handed over in one go. */
const LETTERS_PER_HOP = 8;

/** A letter in its place. */
// Not an array for each mailbox: docs/decisions/0522
class Posted {
  next: Posted | undefined;

  constructor(readonly letter: Letter) {}
}

/**
 * Letters on their way to one side of a call, delivered in order. Messages and the half-close wait until
 * they are asked for, one at a time; the other letters wait only for those before.
 */
export class Mailbox {
  readonly #recipient: Recipient;
  readonly #context: SideContext;
  readonly #sender: SideContext;
  #first: Posted | undefined;
  #last: Posted | undefined;
  #count = 0;
  #heldUp: (() => void)[] | undefined;
  #bytes = 0;
  #wanted = false;
  #whenRead: (() => void) | undefined;
  #scheduled = false;

  /**
   * @param context of the recipient.
   * @param sender the context of the other side.
   */
  constructor(recipient: Recipient, context: SideContext, sender: SideContext) {
    this.#recipient = recipient;
    this.#context = context;
    this.#sender = sender;
  }

  /** @param taken called, on the sender's side, as soon as another letter may follow. */
  put(letter: Letter, taken?: () => void): void {
    if (taken !== undefined) this.#weigh(letter);
    const posted = new Posted(letter);
    if (this.#last === undefined) this.#first = posted;
    else this.#last.next = posted;
    this.#last = posted;
    this.#count += 1;
    this.#schedule();
    if (taken === undefined) return;
    if (this.#hasRoom()) hop(this.#sender, taken);
    else (this.#heldUp ??= []).push(taken);
  }

  /** Replaces all unread letters with this one. */
  replaceAll(letter: Letter): void {
    this.#first = undefined;
    this.#last = undefined;
    this.#count = 0;
    this.#bytes = 0;
    this.#release();
    this.put(letter);
  }

  /** Asks for one message, or for the half-close. */
  read(): void {
    this.#wanted = true;
    if (this.#whenRead !== undefined) this.whenRead(this.#whenRead);
    if (this.#isReady()) this.#schedule();
  }

  /** Calls back, on the sender's side, when the first message is asked for; at once if it was. */
  whenRead(run: () => void): void {
    this.#whenRead = this.#wanted ? undefined : run;
    if (this.#wanted) hop(this.#sender, run);
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    hop(this.#context, this.#deliver);
  }

  readonly #deliver = (): void => {
    try {
      for (let count = 0; count < LETTERS_PER_HOP && this.#isReady(); count += 1) {
        this.#recipient.receive(this.#next());
      }
    } finally {
      this.#scheduled = false;
      // An error of the recipient must not affect the letters after it.
      if (this.#isReady()) this.#schedule();
    }
  };

  #isReady(): boolean {
    const first = this.#first;
    return first !== undefined && (this.#wanted || !waitsForRead(first.letter));
  }

  #next(): Letter {
    const { letter, next } = this.#first!;
    this.#first = next;
    if (next === undefined) this.#last = undefined;
    this.#count -= 1;
    if (waitsForRead(letter)) this.#wanted = false;
    if (letter.kind === 'message' && letter.size !== undefined) this.#bytes -= letter.size;
    if (this.#heldUp !== undefined && this.#hasRoom()) this.#release();
    return letter;
  }

  /** Most messages find an empty queue, and cost nothing. */
  #weigh(letter: Letter): void {
    if (letter.kind !== 'message' || this.#last?.letter.kind !== 'message') return;
    letter.size = roughSize(letter.body);
    this.#bytes += letter.size;
  }

  #hasRoom(): boolean {
    return this.#count < MAILBOX_ROOM && this.#bytes < MAILBOX_ROOM_BYTES;
  }

  #release(): void {
    const heldUp = this.#heldUp;
    if (heldUp === undefined) return;
    this.#heldUp = undefined;
    for (const taken of heldUp) hop(this.#sender, taken);
  }
}

function waitsForRead({ kind }: Letter): boolean {
  return kind === 'message' || kind === 'half-close';
}
