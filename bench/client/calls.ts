// The calls that are measured. Every client makes the same ones of the same server.
import type { UnderWay } from './under-way.ts';

/** Messages in a stream of answers. */
export const STREAMED = 1_000;

/** Products in a list of about 10 kB on the wire. */
export const LISTED = 87;

/** Milliseconds that a call with a deadline may take: far more than it does. */
export const TIMEOUT_MS = 30_000;

/** What a client sends with a call, made for each of them as a user would. */
export const headers = (): Record<string, string> => ({
  'x-request-id': '9f2c6f6e-3f0b-4f0e-9a57-0d9a6e0c7f11',
  'x-tenant': 'kitchen',
  traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
});

/** A client of the shop. Each method resolves with what shows that the answer came and was read. */
export interface Caller {
  /** The name in the answer. */
  get(name: string): Promise<string>;
  /** How many products came. */
  list(items: number): Promise<number>;
  /** What the server says to a list of {@link LISTED} products. */
  put(): Promise<number>;
  /** As `get`, with a deadline of {@link TIMEOUT_MS} and {@link headers}. */
  getWithin(name: string): Promise<string>;
  /** As `get`, with deadline, cancellation, request id and trace of the call that it is a part of. */
  getFor(parent: UnderWay, name: string): Promise<string>;
  /** How many messages came. */
  watch(items: number): Promise<number>;
}

/** A kind of call. */
export interface Measured {
  /** How many are under way together. */
  readonly atOnce: number;
  readonly expected: unknown;
  call(caller: Caller, parent: UnderWay): Promise<unknown>;
}

const NAME = 'products/pot';

export const CALLS: Readonly<Record<string, Measured>> = {
  'unary, small': { atOnce: 1, expected: NAME, call: (caller) => caller.get(NAME) },
  'unary, 100 parallel': { atOnce: 100, expected: NAME, call: (caller) => caller.get(NAME) },
  'unary, request of 10 kB': { atOnce: 16, expected: LISTED, call: (caller) => caller.put() },
  'unary, answer of 10 kB': {
    atOnce: 16,
    expected: LISTED,
    call: (caller) => caller.list(LISTED),
  },
  'unary, deadline and 3 headers': {
    atOnce: 16,
    expected: NAME,
    call: (caller) => caller.getWithin(NAME),
  },
  'stream of 1,000 answers': {
    atOnce: 4,
    expected: STREAMED,
    call: (caller) => caller.watch(STREAMED),
  },
  // The last one: on Node 20 an AsyncLocalStorage that was used once costs all that comes later.
  'unary, part of a call': {
    atOnce: 16,
    expected: NAME,
    call: (caller, parent) => caller.getFor(parent, NAME),
  },
};
