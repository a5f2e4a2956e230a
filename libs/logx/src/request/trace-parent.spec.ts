import { describe, expect, it } from '@jest/globals';
import { parseTraceParent } from './trace-parent.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

describe('a traceparent header', () => {
  it.each([
    ['version 00', `00-${TRACE}-${SPAN}-01`],
    ['a later version with more fields', `01-${TRACE}-${SPAN}-01-more`],
  ])('of %s gives its ids', (_what, header) => {
    expect(parseTraceParent(header)).toEqual({ traceId: TRACE, spanId: SPAN });
  });

  it.each([
    ['nothing', undefined],
    ['version 00 with more fields', `00-${TRACE}-${SPAN}-01-more`],
    ['version 00 with a last dash', `00-${TRACE}-${SPAN}-01-`],
    ['version ff', `ff-${TRACE}-${SPAN}-01`],
    ['a trace of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['a span of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['upper case', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ['a short trace', `00-${TRACE.slice(1)}-${SPAN}-01`],
    ['a line break', `00-${TRACE}-${SPAN}-01\n`],
    ['a list', [`00-${TRACE}-${SPAN}-01`]],
  ])('of %s gives none', (_what, header) => {
    expect(parseTraceParent(header)).toBeUndefined();
  });
});
