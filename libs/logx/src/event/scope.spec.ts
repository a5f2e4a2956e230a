import { describe, expect, it } from '@jest/globals';
import { jsonOf } from '../value/json-text.js';
import { EMPTY_SCOPE, Scope, scopeTexts } from './scope.js';

const SERVER = { traceId: 'a'.repeat(32), spanId: '1'.repeat(16) };
const INNER = { traceId: 'a'.repeat(32), spanId: '2'.repeat(16) };

/** The texts of scopes, and which fields were written for them. */
function written() {
  const fields: string[] = [];
  const textOf = scopeTexts({
    rename: (field) => field,
    write: (field, value) => {
      fields.push(field);
      return `,${field}=${jsonOf(value)}`;
    },
  });
  return { fields, textOf };
}

describe('the fields of a logger', () => {
  it('are written once for all events of one span', () => {
    const { fields, textOf } = written();
    const scope = new Scope(EMPTY_SCOPE, ['Tenant'], ['acme']);
    const texts = [1, 2, 3].map(() => textOf(scope.inSpan(SERVER)));
    expect(fields).toEqual(['Tenant', 'trace_id', 'span_id']);
    const ids = `,trace_id="${SERVER.traceId}",span_id="${SERVER.spanId}"`;
    expect(texts).toEqual(Array(3).fill(`,Tenant="acme"${ids}`));
  });

  it('have the ids of a span that they have already once', () => {
    const { fields, textOf } = written();
    const request = new Scope(EMPTY_SCOPE, ['trace_id', 'span_id'], ['t', SERVER.spanId]);
    const child = new Scope(request, ['Tenant'], ['acme']);
    textOf(child);
    textOf(child.inSpan(SERVER));
    expect(fields).toEqual(['trace_id', 'span_id', 'Tenant']);
    expect(child.inSpan(INNER).all.get('span_id')).toBe(INNER.spanId);
  });
});

describe('the value of a field', () => {
  it('is that of the nearest logger which has it', () => {
    const parent = new Scope(EMPTY_SCOPE, ['A', 'B'], [1, 2]);
    const child = new Scope(parent, ['B', 'C'], ['own', null]);
    const values = ['A', 'B', 'C', 'D'].map((field) => child.valueOf(field));
    expect(values).toEqual([1, 'own', null, undefined]);
  });
});
