import { afterEach, describe, expect, it } from '@jest/globals';
import {
  type Question,
  askHttp1,
  askHttp2,
  connectHttp2,
} from '../../../../tools/testing/http-answers.js';
import { HOST_SERVERS, HTTP2_SERVERS } from '../fixtures/http2-servers.fixture.js';
import { useRig } from '../fixtures/rig.fixture.js';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const json = { 'content-type': 'application/json' };
const events = { accept: 'text/event-stream' };
const raw: Question = {
  method: 'POST',
  path: '/api/v1/raw',
  headers: { 'content-type': 'text/plain' },
};
const whole: Question = { method: 'POST', path: '/api/v1/whole', headers: json };

/** Every kind of answer that a gateway writes. */
const QUESTIONS: readonly (readonly [string, number, Question])[] = [
  ['a message', 200, { path: '/api/v1/query?str=rose' }],
  ['a message to HEAD', 200, { method: 'HEAD', path: '/api/v1/query?str=rose' }],
  ['a message of a body', 200, { ...whole, body: '{"str":"rose"}' }],
  [
    'a message that is compressed',
    200,
    {
      ...whole,
      headers: { ...json, 'accept-encoding': 'gzip' },
      body: `{"str":"${'x'.repeat(4_000)}"}`,
    },
  ],
  [
    'a part of a message',
    200,
    { ...whole, path: '/api/v1/response/nested', body: '{"nested":{"str":"rose"}}' },
  ],
  ['a body of bytes', 200, { ...raw, body: 'rose' }],
  ['a body of no bytes', 200, raw],
  [
    'not modified',
    304,
    { path: '/api/v1/metadata?headers=etag="1"', headers: { 'if-none-match': '"1"' } },
  ],
  ['no content', 204, { path: '/api/v1/metadata?headers=x-http-code=204' }],
  ['the methods of a path', 204, { method: 'OPTIONS', path: '/api/v1/query' }],
  ['a failure of the server', 404, { path: '/api/v1/fail?code=5&message=gone' }],
  [
    'a failure of the server to HEAD',
    404,
    { method: 'HEAD', path: '/api/v1/fail?code=5&message=gone' },
  ],
  ['an unknown path', 404, { path: '/api/nothing' }],
  ['another method', 405, { method: 'PUT', path: '/api/v1/query' }],
  ['a malformed body', 400, { ...whole, body: '{' }],
  ['another media type', 415, { ...whole, headers: { 'content-type': 'text/plain' }, body: 'x' }],
  ['a body that is too long', 413, { ...whole, body: `{"str":"${'x'.repeat(20_000)}"}` }],
  ['a stream of requests', 501, { method: 'POST', path: '/api/v1/sum', headers: json, body: '{}' }],
  ['lines of JSON', 200, { path: '/api/v1/count?to=40' }],
  ['lines of JSON, long ones', 200, { path: '/api/v1/count?to=20&padding=5000' }],
  ['lines of JSON to HEAD', 200, { method: 'HEAD', path: '/api/v1/count?to=3' }],
  ['lines of JSON, none', 200, { path: '/api/v1/count' }],
  ['lines of JSON that fail', 200, { path: '/api/v1/count?to=3&failCode=9' }],
  ['lines of JSON that fail at once', 400, { path: '/api/v1/count?failCode=9' }],
  ['lines of parts of messages', 200, { path: '/api/v1/count/numbers?to=3' }],
  ['events', 200, { path: '/api/v1/count?to=40', headers: events }],
  ['events, none', 200, { path: '/api/v1/count', headers: events }],
  ['events that fail', 200, { path: '/api/v1/count?to=3&failCode=9', headers: events }],
  ['events to HEAD', 200, { method: 'HEAD', path: '/api/v1/count?to=3', headers: events }],
  ['bytes in parts', 200, { path: '/api/v1/download?to=40' }],
  ['bytes in one empty part', 200, { path: '/api/v1/download' }],
  ['bytes to HEAD', 200, { method: 'HEAD', path: '/api/v1/download?to=3' }],
];

describe.each([
  ['network', HTTP2_SERVERS],
  ['in-process', HOST_SERVERS],
] as const)('over the transport %s', (transport, servers) => {
  const rig = useRig(transport);

  it.each(servers)(
    'a gateway on %s answers over HTTP/2 with the bytes of its answers over HTTP/1',
    async (_server, serve) => {
      const served = await serve(rig, { mount: '/api', maxBodyBytes: 10_000, compress: true });
      const session = connectHttp2(served.http2);
      closing.push(
        () => served.close(),
        () => session.close(),
      );
      for (const [what, status, question] of QUESTIONS) {
        const wanted = await askHttp1(served.http1, question);
        // Freed memory may still hold what was there.
        const times = [1, 2, 3].map(() => askHttp2(session, question));
        expect([what, ...(await Promise.all(times))]).toEqual([what, wanted, wanted, wanted]);
        expect([what, wanted.status]).toEqual([what, status]);
      }
    },
  );
});
