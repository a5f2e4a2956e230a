import { knock, oneOf } from '../knock.js';
import type { Attack } from '../row.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const PARENT = `00-${TRACE}-${SPAN}-01`;
/** What fits into the 16 KiB that Node takes of all headers. */
const MUCH = 8_000;

/** Trace context and baggage (W3C) that no honest caller sends. */
const CONTEXTS: readonly Readonly<Record<string, string>>[] = [
  { traceparent: '' },
  { traceparent: 'x'.repeat(MUCH) },
  { traceparent: `${PARENT}, ${PARENT}` },
  { traceparent: `ff-${TRACE}-${SPAN}-01` },
  { traceparent: `00-${'0'.repeat(32)}-${SPAN}-01` },
  { traceparent: `00-${TRACE}-${'0'.repeat(16)}-01` },
  { traceparent: `00-${TRACE.toUpperCase()}-${SPAN}-01` },
  { traceparent: `${PARENT}-more-than-there-is` },
  { traceparent: PARENT, tracestate: 'a=1,'.repeat(MUCH / 4) },
  { traceparent: PARENT, tracestate: '=,=,;;\t,__proto__=1' },
  { traceparent: PARENT, baggage: '__proto__=1,constructor=2,toString=3' },
  { traceparent: PARENT, baggage: 'a=%E0%A4%A,b=%,%=c,=;=,' },
  { traceparent: PARENT, baggage: `a=${'x'.repeat(MUCH)}` },
  { traceparent: PARENT, baggage: 'a=1;b=2,'.repeat(MUCH / 8) },
];

/** A caller who is served is served with any of them, and has one event. */
export const traceContexts: Attack = async (site, door) => {
  const results: string[] = [];
  for (const headers of CONTEXTS) results.push(await knock(site, door, 'porch', headers));
  return oneOf(results);
};
