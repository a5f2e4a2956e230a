import { describe, expect, it } from '@jest/globals';
import { readReply } from './read-reply.js';

const NOW = Date.UTC(2026, 10, 21, 12);
const reply = (status: number, body: unknown, headers = {}) => ({
  status,
  headers,
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
});
const created = { index: { _index: 'logs', _id: 'a', status: 201, result: 'created' } };
const wrong = {
  index: { status: 400, error: { type: 'mapper_parsing_exception', reason: 'failed to parse' } },
};
const busy = (status: number) => ({ create: { status, error: { type: 'busy', reason: 'no' } } });
const taken = { kind: 'taken', refused: [], again: [] };

describe('readReply', () => {
  it.each<readonly [string, ReturnType<typeof reply>, object]>([
    [
      'no errors',
      reply(200, { took: 3, errors: false, items: [created, created, created] }),
      taken,
    ],
    ['no errors, said first', reply(200, { errors: false, took: 3, items: [] }), taken],
    ['no errors, printed nicely', reply(200, '{\n  "took" : 1,\n  "errors" : false,\n'), taken],
    [
      'no errors, with an ingest pipeline',
      reply(200, '{"took":1,"ingest_took":2,"errors":false}'),
      taken,
    ],
    [
      'one wrong, one busy',
      reply(200, { took: 3, errors: true, items: [wrong, created, busy(429)] }),
      {
        kind: 'taken',
        refused: ['HTTP 400, mapper_parsing_exception: failed to parse'],
        again: [2],
      },
    ],
    [
      'all busy',
      reply(200, { errors: true, items: [busy(503), busy(429), busy(503)] }),
      { ...taken, again: [0, 1, 2] },
    ],
    [
      'too few items',
      reply(200, { errors: true, items: [wrong] }),
      {
        kind: 'unavailable',
        reason: expect.stringContaining('not a reply to a bulk request: {"errors"'),
      },
    ],
    [
      'items of something else',
      reply(200, { errors: true, items: [1, 2, 3] }),
      { kind: 'unavailable', reason: expect.stringContaining('not a reply to a bulk request') },
    ],
    ['an empty text', reply(200, ''), { kind: 'unavailable' }],
    ['"errors": false in an event', reply(200, '[{"errors":false}]'), { kind: 'unavailable' }],
    ['too large', reply(413, ''), { kind: 'too-large' }],
    [
      'the wrong index',
      reply(404, { error: { type: 'index_not_found_exception', reason: 'no such index [x]' } }),
      { kind: 'refused', reason: 'HTTP 404, index_not_found_exception: no such index [x]' },
    ],
    ['an error that is a text', reply(400, { error: 'bad' }), { reason: 'HTTP 400, bad' }],
    [
      'a page of a proxy',
      reply(403, '<h1>no</h1>'),
      { kind: 'refused', reason: 'HTTP 403, <h1>no</h1>' },
    ],
    ['nothing', reply(500, ''), { kind: 'unavailable', reason: 'HTTP 500', retryAfterMs: 0 }],
    [
      'seconds to wait',
      reply(503, '', { 'retry-after': '7' }),
      { kind: 'unavailable', retryAfterMs: 7_000 },
    ],
    [
      'a date to wait for',
      reply(503, '', { 'retry-after': 'Sat, 21 Nov 2026 12:00:30 GMT' }),
      { retryAfterMs: 30_000 },
    ],
    ['a day to wait', reply(503, '', { 'retry-after': '86400' }), { retryAfterMs: 300_000 }],
    [
      'a date that is over',
      reply(503, '', { 'retry-after': 'Sat, 21 Nov 2026 11:00:00 GMT' }),
      { retryAfterMs: 0 },
    ],
    ['no date', reply(503, '', { 'retry-after': 'soon' }), { retryAfterMs: 0 }],
  ])('understands %s', (_, got, verdict) => {
    expect(readReply(got, 3, NOW, false)).toMatchObject(verdict);
  });

  it.each([401, 403])(
    'takes %i for the end of the events where nothing can keep them',
    (status) => {
      const item = { index: { status, error: { type: 'security_exception', reason: 'no' } } };
      expect(readReply(reply(status, ''), 3, NOW, false)).toEqual({
        kind: 'refused',
        reason: `HTTP ${status}`,
      });
      const some = reply(200, { errors: true, items: [created, item, busy(429)] });
      expect(readReply(some, 3, NOW, false)).toEqual({
        kind: 'taken',
        refused: [`HTTP ${status}, security_exception: no`],
        again: [2],
      });
    },
  );

  it.each([401, 403])('lets events wait after %i where they can', (status) => {
    const item = { index: { status, error: { type: 'security_exception', reason: 'no' } } };
    expect(readReply(reply(status, ''), 3, NOW, true)).toEqual({
      kind: 'denied',
      reason: `HTTP ${status}`,
    });
    const some = reply(200, { errors: true, items: [created, item, busy(429)] });
    expect(readReply(some, 3, NOW, true)).toEqual({
      kind: 'taken',
      refused: [],
      again: [1, 2],
      denial: `HTTP ${status}, security_exception: no`,
    });
  });
});
