import { type ConformanceCase, bad, body, ok } from './case.js';

const whole = 'http.proto: `*` maps every field not bound by the path template to the body';
const field = 'http.proto: the name of the request field whose value is mapped to the body';
const none = 'http.proto: if body is omitted, there is no HTTP request body';
const array = 'http.proto: a JSON array as the body is a repeated field';
const pathWins = 'http.proto: fields referred by the path template are passed via the URL path';
const response = 'http.proto: response_body names the field whose value is the HTTP response body';
const entire = 'http.proto: when omitted, the entire response message is the response body';
const names = 'ProtoJSON: parsers accept the lowerCamelCase name and the proto field name';
const unknown = 'ProtoJSON: the parser should reject unknown fields by default';
const nulls = 'ProtoJSON: null is an accepted value for all field types';
const longs = 'ProtoJSON: either numbers or strings are accepted for 64-bit integers';
const twice = 'ProtoJSON: duplicate keys are rejected';
const range = 'ProtoJSON: numbers out of the range of their type are rejected';
const syntax = 'RFC 8259 §2: JSON grammar';
const utf8 = 'RFC 8259 §8.1: JSON text must be encoded using UTF-8';
const raw = 'httpbody.proto: the raw body, with its content type';
const deep = 'RFC 8259 §9: an implementation may set limits on the depth of nesting';

export const bodyCases: readonly ConformanceCase[] = [
  ok(whole, 'POST /v1/whole', { str: 'a', i32: 5 }, body({ str: 'a', i32: 5 })),
  ok(
    whole,
    'POST /v1/whole',
    { nested: { nested: { str: 'x' } }, labels: { a: 'b' } },
    body({ nested: { nested: { str: 'x' } }, labels: { a: 'b' } }),
  ),
  ok(whole, 'POST /v1/whole', {}, body({})),
  ok(whole, 'POST /v1/whole', {}),
  ok(whole, 'PUT /v1/whole/a', { str: 'a', i32: 5 }, body({ i32: 5 })),
  ok(pathWins, 'PUT /v1/whole/a', { str: 'a' }, body({ str: 'b' })),
  ok(
    pathWins,
    'POST /v1/parts/shelves/7/inside',
    { nested: { str: 'shelves/7', i64: '1' } },
    body({ str: 'x', i64: 1 }),
  ),
  bad(none, 'GET /v1/query', /request body: GET \/v1\/query takes none/, body({})),
  bad(none, 'DELETE /v1/path/one/a', /takes none/, body({ str: 'a' })),
  ok(field, 'POST /v1/parts/a/nested', { str: 'a', nested: { str: 'n' } }, body({ str: 'n' })),
  ok(field, 'POST /v1/parts/a/nested', { str: 'a', nested: {} }, body({})),
  ok(field, 'POST /v1/parts/a/nested', { str: 'a' }),
  ok(array, 'POST /v1/parts/a/list', { str: 'a', strs: ['x', 'y'] }, body(['x', 'y'])),
  ok(array, 'POST /v1/parts/a/list', { str: 'a' }, body([])),
  ok(field, 'POST /v1/parts/a/map', { str: 'a', labels: { k: 'v' } }, body({ k: 'v' })),
  ok(field, 'POST /v1/parts/a/number', { str: 'a', i64: '5' }, body('5')),
  ok(
    field,
    'POST /v1/parts/a/number',
    { str: 'a', i64: '9007199254740993' },
    body('9007199254740993'),
  ),
  ok(field, 'POST /v1/parts/a/number', { str: 'a', i64: '-1' }, body('"-1"')),
  bad(field, 'POST /v1/parts/a/number', /request body, \$: /, body('5,"str":"b"')),
  bad(field, 'POST /v1/parts/a/number', /request body, \$: /, body('5},{')),
  bad(field, 'POST /v1/parts/a/number', /request body, \$: /, body('true')),
  bad(field, 'POST /v1/parts/a/list', /request body, \$\[1\]: /, body(['x', 5])),
  bad(field, 'POST /v1/parts/a/nested', /request body, \$\.nope: /, body({ nope: 1 })),
  bad(field, 'POST /v1/parts/a/nested', /request body, \$: null/, body('null')),
  ok(
    names,
    'POST /v1/whole',
    { strValue: 'a', otherName: 'b' },
    body({ str_value: 'a', renamed: 'b' }),
  ),
  bad(
    names,
    'POST /v1/whole',
    /request body, \$\.str_value: /,
    body('{"strValue":"a","str_value":"b"}'),
  ),
  bad(
    unknown,
    'POST /v1/whole',
    /request body, \$\.nope: transcoding.v1.Everything has no field/,
    body({ nope: 1 }),
  ),
  bad(unknown, 'POST /v1/whole', /\$\.items\[1\]\.nope/, body({ items: [{}, { nope: 1 }] })),
  bad(unknown, 'POST /v1/whole', /__proto__/, body('{"__proto__":{"str":"a"}}')),
  bad(unknown, 'POST /v1/whole', /constructor/, body('{"constructor":{"prototype":{}}}')),
  ok(
    'proto3: a map key is any string',
    'POST /v1/whole',
    JSON.parse('{"labels":{"__proto__":"x"}}'),
    body('{"labels":{"__proto__":"x"}}'),
  ),
  ok(nulls, 'POST /v1/whole', {}, body({ str: null, nested: null, strs: null, i64: null })),
  ok('ProtoJSON: NullValue', 'POST /v1/whole', { value: null }, body({ value: null })),
  ok(longs, 'POST /v1/whole', { i64: '9007199254740993' }, body('{"i64":9007199254740993}')),
  ok(
    longs,
    'POST /v1/whole',
    { u64: '18446744073709551615' },
    body('{"u64":18446744073709551615}'),
  ),
  ok(
    longs,
    'POST /v1/whole',
    { i64: '-9223372036854775808' },
    body('{"i64":"-9223372036854775808"}'),
  ),
  ok(longs, 'POST /v1/whole', { i64s: ['9007199254740993'] }, body('{"i64s":[9007199254740993]}')),
  bad(range, 'POST /v1/whole', /\$\.i64: /, body('{"i64":9223372036854775808}')),
  bad(range, 'POST /v1/whole', /\$\.i32: /, body({ i32: 2147483648 })),
  bad(range, 'POST /v1/whole', /\$\.u32: /, body({ u32: -1 })),
  bad(range, 'POST /v1/whole', /\$\.f32: /, body({ f32: 1e39 })),
  bad(range, 'POST /v1/whole', /\$\.i32: /, body(`{"i32":${'9'.repeat(5000)}}`)),
  bad(range, 'POST /v1/whole', /\$\.f64: /, body('{"f64":1e400}')),
  bad(range, 'POST /v1/whole', /\$\.timestamp: /, body({ timestamp: '10000-01-01T00:00:00Z' })),
  ok('ProtoJSON: 1e5 is an integer', 'POST /v1/whole', { i32: 100_000 }, body('{"i32":1e5}')),
  bad('ProtoJSON: 1.5 is no integer', 'POST /v1/whole', /\$\.i32: /, body('{"i32":1.5}')),
  bad('ProtoJSON: string is a string', 'POST /v1/whole', /\$\.str: /, body({ str: 5 })),
  bad('ProtoJSON: bool is true or false', 'POST /v1/whole', /\$\.bool: /, body({ bool: 'true' })),
  bad('ProtoJSON: a message is an object', 'POST /v1/whole', /\$\.nested: /, body({ nested: [] })),
  bad(
    'ProtoJSON: a repeated field is an array',
    'POST /v1/whole',
    /\$\.strs: /,
    body({ strs: 'a' }),
  ),
  bad(
    'ProtoJSON: null is no element of a list',
    'POST /v1/whole',
    /\$\.strs\[0\]: /,
    body({ strs: [null] }),
  ),
  bad('ProtoJSON: bytes are base64', 'POST /v1/whole', /\$\.data: /, body({ data: '*' })),
  bad('ProtoJSON: enum', 'POST /v1/whole', /\$\.color: /, body({ color: 'MAUVE' })),
  ok('ProtoJSON: enum', 'POST /v1/whole', { color: 'COLOR_RED' }, body({ color: 1 })),
  ok(
    'ProtoJSON: Any has an additional field "@type"',
    'POST /v1/whole',
    { any: { '@type': 'type.googleapis.com/transcoding.v1.Nested', str: 'a' } },
    body({ any: { '@type': 'type.googleapis.com/transcoding.v1.Nested', str: 'a' } }),
  ),
  bad(
    'ProtoJSON: Any has an additional field "@type"',
    'POST /v1/whole',
    /\$\.any/,
    body({ any: { '@type': 'x/no.Such', str: 'a' } }),
  ),
  bad(
    'proto3: at most one member of a oneof is set',
    'POST /v1/whole',
    /\$\.choiceI32: /,
    body({ choiceStr: 'a', choiceI32: 1 }),
  ),
  bad(twice, 'POST /v1/whole', /\$\.str: /, body('{"str":"a","str":"b"}')),
  bad(twice, 'POST /v1/whole', /\$\.nested\.str: /, body('{"nested":{"str":"a","str":"b"}}')),
  bad(syntax, 'POST /v1/whole', /request body, \$/, body('{"str":"a"')),
  bad(syntax, 'POST /v1/whole', /request body, \$/, body('{"str":"a"} {}')),
  bad(syntax, 'POST /v1/whole', /request body, \$/, body("{'str':'a'}")),
  bad(syntax, 'POST /v1/whole', /request body, \$/, body('{"str":"a",}')),
  bad(syntax, 'POST /v1/whole', /request body, \$/, body('{"f64":NaN}')),
  bad(syntax, 'POST /v1/whole', /request body, \$/, body(' ')),
  bad(syntax, 'POST /v1/whole', /request body, \$/, body('[]')),
  bad(syntax, 'POST /v1/whole', /request body, \$/, body('"x"')),
  bad(utf8, 'POST /v1/whole', /UTF-8/, {
    ...body(''),
    body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]),
  }),
  bad(utf8, 'POST /v1/parts/a/number', /request body, \$: /, {
    ...body(''),
    body: Buffer.from([0x22, 0xff, 0x22]),
  }),
  bad(deep, 'POST /v1/whole', /deep/, body('{"nested":'.repeat(5000) + '{}' + '}'.repeat(5000))),
  bad(
    deep,
    'POST /v1/whole',
    /deep/,
    body(`{"value":${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
  ),
  bad(
    deep,
    'POST /v1/parts/a/nested',
    /deep/,
    body('{"nested":'.repeat(5000) + '{}' + '}'.repeat(5000)),
  ),
  ok(
    entire,
    'POST /v1/whole',
    { i64: '5', data: '+/8=', color: 'COLOR_RED' },
    body({ i64: 5, data: '+/8=', color: 1 }),
  ),
  ok(response, 'POST /v1/response/nested', { str: 'a' }, body({ nested: { str: 'a' } })),
  ok(response, 'POST /v1/response/nested', null, body({ str: 'a' })),
  ok(response, 'POST /v1/response/list', ['a', 'b'], body({ strs: ['a', 'b'] })),
  ok(response, 'POST /v1/response/list', [], body({})),
  ok(response, 'POST /v1/response/map', { k: 'v' }, body({ labels: { k: 'v' } })),
  ok(response, 'POST /v1/response/map', {}, body({})),
  ok(response, 'POST /v1/response/number', '9007199254740993', body('{"i64":9007199254740993}')),
  ok(response, 'POST /v1/response/number', '0', body({})),
  ok(response, 'POST /v1/response/color', 'COLOR_GREEN', body({ color: 2 })),
  ok(response, 'POST /v1/response/color', 'COLOR_UNSPECIFIED', body({})),
  {
    source: raw,
    request: 'POST /v1/raw',
    ask: { body: 'a,b\n1,2', headers: { 'content-type': 'text/csv' } },
    status: 200,
    text: 'a,b\n1,2',
    headers: { 'content-type': 'text/csv' },
  },
  {
    source: raw,
    request: 'POST /v1/raw',
    status: 200,
    text: '',
    headers: { 'content-type': 'application/octet-stream' },
  },
  ok(
    raw,
    'PUT /v1/uploads/pic?note=n',
    { name: 'pic', note: 'n', file: { contentType: 'image/png', data: '//4=' } },
    { body: Buffer.from([0xff, 0xfe]), headers: { 'content-type': 'image/png' } },
  ),
];
