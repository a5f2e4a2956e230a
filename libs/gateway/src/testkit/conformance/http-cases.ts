import { type ConformanceCase, body } from './case.js';

const allow = 'RFC 9110 §15.5.6: 405 must have an Allow header with the supported methods';
const media = 'RFC 9110 §15.5.16: 415 for a content in an unsupported format';
const head = 'RFC 9110 §9.3.2: HEAD is GET without content in the response';
const challenge = 'RFC 9110 §15.5.2: 401 must have a WWW-Authenticate header';
const problem = 'RFC 9457 §3: a problem document is application/problem+json';
const json = { 'content-type': 'application/json' };
const code = (name: string, number: number, status: number): ConformanceCase => ({
  source: `code.proto: ${name} maps to ${status}`,
  request: `GET /v1/fail?code=${number}&message=told`,
  status,
});

export const httpCases: readonly ConformanceCase[] = [
  {
    source: allow,
    request: 'PATCH /v1/path/one/a',
    status: 405,
    headers: { allow: 'DELETE, GET, HEAD, OPTIONS' },
  },
  { source: allow, request: 'GET /v1/whole', status: 405, headers: { allow: 'POST, OPTIONS' } },
  {
    source: 'RFC 9110 §9.3.7: OPTIONS',
    request: 'OPTIONS /v1/query',
    status: 204,
    text: '',
    headers: { allow: 'GET, HEAD, OPTIONS' },
  },
  {
    source: media,
    request: 'POST /v1/whole',
    ask: { body: '{}', headers: { 'content-type': 'text/plain' } },
    status: 415,
    headers: { 'accept-post': 'application/json' },
  },
  {
    source: media,
    request: 'PATCH /v1/masked/a',
    ask: { body: '{}', headers: { 'content-type': 'text/xml' } },
    status: 415,
    headers: { 'accept-patch': 'application/json' },
  },
  {
    source: media,
    request: 'POST /v1/whole',
    ask: { body: '{}', headers: { 'content-type': 'application/json; charset=utf-16' } },
    status: 415,
  },
  {
    source: media,
    request: 'POST /v1/whole',
    ask: { body: '{}', headers: { 'content-type': 'application/json; charset=UTF-8' } },
    status: 200,
  },
  {
    source: media,
    request: 'POST /v1/whole',
    ask: { body: '{}', headers: { 'content-type': 'application/vnd.shop+json' } },
    status: 200,
  },
  {
    source: media,
    request: 'POST /v1/whole',
    ask: { body: '{"str":"a"}' },
    status: 200,
    json: { str: 'a' },
  },
  {
    source: media,
    request: 'POST /v1/whole',
    ask: body({}, { 'content-encoding': 'gzip' }),
    status: 415,
    headers: { 'accept-encoding': 'identity' },
  },
  {
    source: head,
    request: 'HEAD /v1/query?str=a',
    status: 200,
    text: '',
    headers: { ...json, 'content-length': '11' },
  },
  { source: head, request: 'HEAD /v1/query?nope=a', status: 400, text: '' },
  {
    source: challenge,
    request: 'GET /v1/fail?code=16',
    status: 401,
    headers: { 'www-authenticate': 'Bearer' },
  },
  {
    source: problem,
    request: 'GET /v1/fail?code=5&message=no%20such%20order',
    status: 404,
    headers: { 'content-type': 'application/problem+json' },
    json: {
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      detail: 'no such order',
      code: 'NOT_FOUND',
    },
  },
  {
    source: 'spec/authz.md: validation failures are returned as 400 with a problem+json body',
    request: 'GET /v1/fail?code=3&message=too%20short&field=order.name',
    status: 400,
    json: {
      type: 'about:blank',
      title: 'Bad Request',
      status: 400,
      detail: 'too short',
      code: 'INVALID_ARGUMENT',
      errors: [{ field: 'order.name', detail: 'too short', reason: 'told' }],
    },
  },
  {
    source: 'RFC 9457 §3: errors name the place',
    request: 'GET /v1/query?i32=x',
    status: 400,
    json: {
      type: 'about:blank',
      title: 'Bad Request',
      status: 400,
      detail: 'query parameter "i32" has the value "x", which is no int32: write a decimal integer',
      code: 'INVALID_ARGUMENT',
      errors: [
        {
          field: 'i32',
          detail:
            'query parameter "i32" has the value "x", which is no int32: write a decimal integer',
        },
      ],
    },
  },
  {
    source: 'unknown failures never leak internals',
    request: 'GET /v1/fail?unexpected=true',
    status: 500,
    json: {
      type: 'about:blank',
      title: 'Internal Server Error',
      status: 500,
      detail: 'internal error',
      code: 'UNKNOWN',
    },
  },
  {
    source: 'gRPC: a deadline that has passed',
    request: 'GET /v1/fail?delay_ms=2000',
    ask: { headers: { 'grpc-timeout': '20m' } },
    status: 504,
    detail: /^deadline exceeded$/,
  },
  {
    source: 'gRPC over HTTP/2: Timeout',
    request: 'GET /v1/query',
    ask: { headers: { 'grpc-timeout': '1x' } },
    status: 400,
    detail: /Grpc-Timeout has the value "1x"/,
  },
  {
    source: 'gRPC over HTTP/2: TimeoutValue is at most 8 digits',
    request: 'GET /v1/query',
    ask: { headers: { 'grpc-timeout': '123456789S' } },
    status: 400,
  },
  {
    source: 'gRPC over HTTP/2: Timeout',
    request: 'GET /v1/query',
    ask: { headers: { 'grpc-timeout': '99999999H' } },
    status: 200,
  },
  code('CANCELLED', 1, 499),
  code('UNKNOWN', 2, 500),
  code('INVALID_ARGUMENT', 3, 400),
  code('DEADLINE_EXCEEDED', 4, 504),
  code('NOT_FOUND', 5, 404),
  code('ALREADY_EXISTS', 6, 409),
  code('PERMISSION_DENIED', 7, 403),
  code('RESOURCE_EXHAUSTED', 8, 429),
  code('FAILED_PRECONDITION', 9, 400),
  code('ABORTED', 10, 409),
  code('OUT_OF_RANGE', 11, 400),
  code('UNIMPLEMENTED', 12, 501),
  code('INTERNAL', 13, 500),
  code('UNAVAILABLE', 14, 503),
  code('DATA_LOSS', 15, 500),
  code('UNAUTHENTICATED', 16, 401),
];
