import { describe, expect, it } from '@jest/globals';
import type { KnownFields } from '../event/known-fields.js';
import { type LineCase, linesOf } from '../event/known-lines.fixture.js';
import { httpFields } from './http-fields.js';

interface Case extends LineCase {
  readonly method?: string;
  readonly path?: string;
  readonly fields?: KnownFields;
}

const PLAIN = httpFields([
  200,
  60,
  '127.0.0.1:4711',
  0.066,
  '/orders/:id',
  'Orders.find',
  undefined,
  undefined,
  undefined,
  'bench/1',
  undefined,
  undefined,
]);

function lines({ method, path, fields = PLAIN, ...given }: Case): string[] {
  const args = [method ?? 'GET', path ?? '/orders/o-17', 200];
  return linesOf(fields, args, given);
}

/** With another duration. */
function taking(durationMs: number): KnownFields {
  return httpFields([
    200,
    60,
    '127.0.0.1:4711',
    durationMs,
    '/orders/:id',
    'Orders.find',
    '/shop.v1.Orders/Get',
    'OK',
    'connect',
    'a "b"\n\u00fc',
    'caller',
    17,
  ]);
}

describe('the line of a request from prepared parts', () => {
  it.each<[string, Case]>([
    ['a plain request', {}],
    ['texts that must be escaped', { path: '/"ü\u2028\\', method: 'M"' }],
    ['ids of a trace', { scope: { RequestId: 'a', trace_id: 't', span_id: 's' } }],
    ['a field of the logger', { options: { fields: { service: 'shop' } } }],
    ['a field of the logger that the event has too', { options: { fields: { status: 'up' } } }],
    ['a field of the request that the event has too', { scope: { RequestId: 'a', remote: 'x' } }],
    [
      'a field of the request that the logger has too',
      { options: { fields: { a: 1, RequestId: 'x' } } },
    ],
    ['no message', { options: { renderedMessage: false } }],
    ['no time', { options: { timestamp: false } }],
    ['redaction', { options: { redact: { names: ['remote'] } } }],
    ['a limit of texts', { options: { limits: { text: 11 } } }],
    ['ecs', { format: 'ecs' }],
    ['otel', { format: 'otel' }],
    ['console', { format: 'console' }],
    ...[0, 1, 0.001, 0.01, 12.5, 12.34, 999.999, 1e6, 1e9, 0.0005, -1].map((ms): [string, Case] => [
      `all fields and ${ms} ms`,
      { fields: taking(ms) },
    ]),
  ])('is that of any other event: %s', (_what, given) => {
    const [prepared, other] = lines(given);
    expect(prepared).toContain('Orders.find');
    expect(prepared).toBe(other);
  });
});
