import { describe, expect, it } from '@jest/globals';
import { type LineCase, linesOf } from '../event/known-lines.fixture.js';
import { grpcFields } from './grpc-fields.js';

const METHOD = '/shop.v1.Orders/Get';
const PLAIN = grpcFields([
  METHOD,
  'OK',
  0.066,
  '10.0.0.1:5000',
  'Orders.get',
  'grpc-node/1',
  undefined,
]);
const BARE = grpcFields([METHOD, 'OK', 1, undefined, undefined, undefined, 17]);

describe('the line of a call from prepared parts', () => {
  it.each<[string, LineCase]>([
    ['a plain call', {}],
    ['ids of a trace', { scope: { RequestId: 'a', trace_id: 't', span_id: 's' } }],
    ['a field of the logger that the event has too', { options: { fields: { code: 'up' } } }],
    ['a field of the call that the event has too', { scope: { RequestId: 'a', method: 'x' } }],
    ['no message', { options: { renderedMessage: false } }],
    ['redaction', { options: { redact: { names: ['remote'] } } }],
    ['a limit of texts', { options: { limits: { text: 11 } } }],
    ['ecs', { format: 'ecs' }],
    ['otel', { format: 'otel' }],
    ['console', { format: 'console' }],
  ])('is that of any other event: %s', (_what, given) => {
    for (const fields of [PLAIN, BARE]) {
      const [prepared, other] = linesOf(fields, [METHOD, 'OK'], given);
      expect(prepared).toContain('shop.v1');
      expect(prepared).toBe(other);
    }
  });
});
