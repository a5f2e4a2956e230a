import { type ConformanceCase, bad, body, ok } from './case.js';

const one = 'http.proto: the syntax `*` matches a single URL path segment';
const rest = 'http.proto: the syntax `**` matches zero or more URL path segments';
const omitted = 'http.proto: `{var}` is equivalent to `{var=*}`';
const literal = 'http.proto: the syntax LITERAL matches literal text in the URL path';
const encodedLiteral =
  'http.proto: reserved characters of a LITERAL are percent-encoded before the matching';
const single = 'http.proto: a variable of one segment is fully percent-decoded';
const multi = 'http.proto: a variable of several segments keeps %2F and %2f unchanged';
const fieldPath = 'http.proto: the path template may refer to fields of the request message';
const verb = 'http.proto: Verb = ":" LITERAL';
const custom = 'http.proto: a custom pattern specifies an HTTP method that is not in `pattern`';
const any = 'http.proto: "*" leaves the HTTP method unspecified for this rule';
const additional = 'http.proto: multiple HTTP methods for one RPC by additional_bindings';
const utf8 = 'RFC 3986 §2.1: a percent-encoded octet is "%" and two hexadecimal digits';
const dots = 'RFC 3986 §3.3: "." and ".." are intended for use at the beginning of a reference';
const caseful = 'RFC 3986 §6.2.2.1: components other than scheme and host are case-sensitive';

export const pathCases: readonly ConformanceCase[] = [
  ok(omitted, 'GET /v1/path/one/a', { str: 'a' }),
  ok(one, 'GET /v1/path/shelves/7', { str: 'shelves/7' }),
  ok(one, 'GET /v1/path/shelves/7/books/8', { str: 'shelves/7/books/8' }),
  { source: one, request: 'GET /v1/path/shelves/7/8', status: 404 },
  { source: one, request: 'GET /v1/path/shelves/', status: 404 },
  { source: one, request: 'GET /v1/path/shelves', status: 404 },
  ok(one, 'GET /v1/path/anything/x/a', { str: 'a' }),
  { source: one, request: 'GET /v1/path/anything//a', status: 404 },
  ok(rest, 'GET /v1/path/rest/a', { str: 'a' }),
  ok(rest, 'GET /v1/path/rest/a/b/c', { str: 'a/b/c' }),
  ok(rest, 'GET /v1/path/rest', {}),
  ok(rest, 'GET /v1/path/rest/', {}),
  ok(rest, 'GET /v1/path/rest/a/', { str: 'a/' }),
  ok(literal, 'GET /v1/path/one/me', {}),
  ok(encodedLiteral, 'GET /v1/path/%6Fne/a', { str: 'a' }),
  { source: caseful, request: 'GET /V1/path/one/a', status: 404 },
  ok(single, 'GET /v1/path/one/a%20b', { str: 'a b' }),
  ok(single, 'GET /v1/path/one/a%2Fb', { str: 'a/b' }),
  ok(single, 'GET /v1/path/one/a%2fb', { str: 'a/b' }),
  ok(single, 'GET /v1/path/one/%C3%A9%E2%82%AC', { str: 'é€' }),
  ok(single, 'GET /v1/path/one/%F0%9F%98%80', { str: '😀' }),
  ok(single, 'GET /v1/path/one/a%252Fb', { str: 'a%2Fb' }),
  ok(single, 'GET /v1/path/one/a%3Fb%23c', { str: 'a?b#c' }),
  ok(single, 'GET /v1/path/one/-_.~0aZ', { str: '-_.~0aZ' }),
  ok('RFC 3986 §2.2: "+" in a path is itself', 'GET /v1/path/one/a+b', { str: 'a+b' }),
  ok(single, 'GET /v1/path/one/%00', { str: '\0' }),
  ok(single, 'GET /v1/path/one/%0d%0aset-cookie:x', { str: '\r\nset-cookie:x' }),
  ok(multi, 'GET /v1/path/shelves/a%2Fb', { str: 'shelves/a%2Fb' }),
  ok(multi, 'GET /v1/path/shelves/a%2fb', { str: 'shelves/a%2fb' }),
  ok(multi, 'GET /v1/path/shelves/a%20b', { str: 'shelves/a b' }),
  ok(multi, 'GET /v1/path/rest/a%2Fb/c%20d', { str: 'a%2Fb/c d' }),
  ok(multi, 'GET /v1/path/rest/%C3%A9/%2F', { str: 'é/%2F' }),
  ok(fieldPath, 'GET /v1/path/x/deep', { nested: { nested: { str: 'x' } } }),
  ok(fieldPath, 'GET /v1/path/two/a/and/b', { str: 'a', nested: { str: 'b' } }),
  ok(fieldPath, 'GET /v1/path/choice/a', { choiceStr: 'a' }),
  ok(fieldPath, 'GET /v1/path/one/__proto__', { str: '__proto__' }),
  ok(fieldPath, 'GET /v1/path/typed/-5/18446744073709551615/true/COLOR_RED', {
    i32: -5,
    u64: '18446744073709551615',
    bool: true,
    color: 'COLOR_RED',
  }),
  ok(fieldPath, 'GET /v1/path/typed/0/0/false/2', { color: 'COLOR_GREEN' }),
  ok(fieldPath, 'GET /v1/path/when/2017-01-15T01:30:15.01Z', {
    timestamp: '2017-01-15T01:30:15.010Z',
  }),
  bad(fieldPath, 'GET /v1/path/typed/x/0/true/0', /path variable "i32" has the value "x"/),
  bad(fieldPath, 'GET /v1/path/typed/2147483648/0/true/0', /"i32".* out of the range of int32/),
  bad(fieldPath, 'GET /v1/path/typed/0/-1/true/0', /"u64".* out of the range of uint64/),
  bad(fieldPath, 'GET /v1/path/typed/0/0/yes/0', /"bool".* no bool/),
  bad(fieldPath, 'GET /v1/path/typed/0/0/true/MAUVE', /"color".* no value of the enum/),
  bad(fieldPath, 'GET /v1/path/when/yesterday', /"timestamp".* no timestamp/),
  ok(verb, 'GET /v1/path/verbs/a:look', { str: 'a' }),
  ok(verb, 'POST /v1/path/verbs/a:cancel', { str: 'a' }),
  ok(verb, 'POST /v1/path/verbs/a:cancel', { str: 'a', i32: 1 }, body({ i32: 1 })),
  ok(verb, 'GET /v1/path/verbs/a:b:look', { str: 'a:b' }),
  ok(verb, 'GET /v1/path/verbs/a:%6Cook', { str: 'a' }),
  { source: verb, request: 'GET /v1/path/verbs/a%3Alook', status: 404 },
  { source: verb, request: 'GET /v1/path/verbs/a', status: 404 },
  { source: verb, request: 'GET /v1/path/verbs/a:jump', status: 404 },
  ok('RFC 3986 §3.3: ":" is a pchar', 'GET /v1/path/one/urn:x:y', { str: 'urn:x:y' }),
  ok(custom, 'REPORT /v1/path/custom', {}),
  {
    source: custom,
    request: 'GET /v1/path/custom',
    status: 405,
    headers: { allow: 'REPORT, OPTIONS' },
  },
  ok(any, 'GET /v1/path/any-method', {}),
  ok(any, 'PROPFIND /v1/path/any-method', {}),
  ok(additional, 'DELETE /v1/path/one/a', { str: 'a' }),
  { source: utf8, request: 'GET /v1/path/one/a%zz', status: 400, detail: /malformed escape/ },
  { source: utf8, request: 'GET /v1/path/one/a%', status: 400, detail: /malformed escape/ },
  { source: 'RFC 3629 §3: invalid UTF-8', request: 'GET /v1/path/one/%ff', status: 400 },
  { source: 'RFC 3629 §3: overlong form', request: 'GET /v1/path/one/%C0%AF', status: 400 },
  { source: 'RFC 3629 §3: surrogates', request: 'GET /v1/path/one/%ED%A0%80', status: 400 },
  bad(dots, 'GET /v1/path/one/..', /the segment "\.\." is not allowed/),
  bad(dots, 'GET /v1/path/one/%2e%2E', /the segment "\.\." is not allowed/),
  bad(dots, 'GET /v1/path/rest/a/../b', /the segment "\.\." is not allowed/),
  bad(dots, 'GET /v1/path/rest/./b', /the segment "\." is not allowed/),
  {
    source: literal,
    request: 'GET /nowhere',
    status: 404,
    detail: /nothing is served at \/nowhere/,
  },
  {
    source: 'the rule of Hidden: none',
    request: 'POST /transcoding.v1.EchoService/Hidden',
    status: 404,
  },
];
