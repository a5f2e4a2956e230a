import type { StagedCall } from '@apix/contracts';

/** A call that a handler serves, as far as calls take something over from it. */
export type UnderWay = StagedCall & { readonly deadline: number; readonly requestId: string };

/** How long the call lasts, in milliseconds: longer than any run. */
const LASTS_MS = 3_000_000;

/** What is left to answer in, after the call that is made for another one. */
export const MARGIN_MS = 20;

const METADATA: Readonly<Record<string, readonly string[]>> = {
  authorization: ['Bearer of-the-caller'],
  traceparent: ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'],
  baggage: ['tenant=kitchen'],
};
const NONE: readonly string[] = [];

/** One that goes on for as long as calls are made for it. */
export function underWay(): UnderWay {
  return {
    door: 'grpc',
    method: { fullName: '/b.B/Serve', service: 'b.B', name: 'Serve', kind: 'unary' },
    metadata: { get: (key) => METADATA[key] ?? NONE, keys: () => Object.keys(METADATA) },
    peer: { address: '127.0.0.1:50000' },
    signal: new AbortController().signal,
    forwarded: false,
    deadline: Date.now() + LASTS_MS,
    requestId: '9f2c6f6e-3f0b-4f0e-9a57-0d9a6e0c7f11',
    values: new Map(),
    setHeader() {},
  };
}

/** The metadata that goes with a call made for it, as {@link headers} of the others. */
export function passedOn(parent: UnderWay): Record<string, string> {
  const passed: Record<string, string> = { 'x-request-id': parent.requestId };
  for (const key of ['traceparent', 'tracestate', 'baggage']) {
    for (const value of parent.metadata.get(key)) passed[key] = value;
  }
  return passed;
}
