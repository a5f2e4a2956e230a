import type { CallableMethod, CallMethods } from '../../../src/section-views.js';
import { containing } from '../../cells.js';
import { MOST_METHODS } from '../../method-count.js';
import type { Row } from '../../rows.js';

const KINDS: Readonly<Record<CallableMethod['kind'], string>> = {
  unary: 'one request, one answer',
  server_stream: 'a stream of answers',
  client_stream: 'a stream of requests',
  bidi_stream: 'streams in both directions',
};

/** The methods whose name contains the text, without the limit of what is shown. */
export function namedMethods(methods: CallMethods, text: string): CallMethods {
  return containing(methods, text, ({ method }) => [method]);
}

/** @param open the method whose form is open. */
export function methodRows(methods: CallMethods, open: string | null): Row[] {
  return methods.slice(0, MOST_METHODS).map(({ method, kind }) => ({
    key: method,
    cells: [
      { text: method, opens: { id: method, isOpen: method === open } },
      { text: KINDS[kind], look: 'text' },
    ],
  }));
}
