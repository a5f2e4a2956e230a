import { type ConformanceCase, bad, body, ok } from './case.js';

const name = 'http.proto: the parameter name is the field path in the request message';
const nested = 'http.proto: each field of the message is mapped to a separate parameter';
const repeated = 'http.proto: a repeated field can be several parameters of the same name';
const types = 'http.proto: parameters must have a primitive type or a repeated primitive type';
const noMessages = 'http.proto: repeated message fields must not be mapped to query parameters';
const whole = 'http.proto: if body is "*", there is no URL query parameter';
const pathBound = 'http.proto: fields referred by the path template are passed via the URL path';
const bodyBound = 'http.proto: fields referred by the body are passed via the request body';
const others = 'http.proto: all other fields are passed via the URL query parameters';
const form = 'URL Standard §5.1: application/x-www-form-urlencoded parsing';
const int32 = 'ProtoJSON: int32 and uint32 are decimal numbers';
const int64 = 'ProtoJSON: int64 and uint64 are decimal strings';
const float = 'ProtoJSON: float and double are numbers or "NaN", "Infinity", "-Infinity"';
const enums = 'ProtoJSON: an enum is its name; parsers accept integers too';
const bytes = 'ProtoJSON: standard or URL-safe base64 with or without paddings are accepted';
const bools = 'ProtoJSON: bool is true or false';
const timestamp = 'ProtoJSON: Timestamp uses RFC 3339';
const duration = 'ProtoJSON: Duration ends in the suffix "s"';
const mask = 'ProtoJSON: FieldMask is a single string of camel-cased paths, comma separated';
const wrapper = 'ProtoJSON: wrappers use the same representation as the wrapped type';
const oneof = 'proto3: setting any member of the oneof clears all the others';

export const queryCases: readonly ConformanceCase[] = [
  ok(name, 'GET /v1/query?str=a', { str: 'a' }),
  ok(name, 'GET /v1/query?str_value=a', { strValue: 'a' }),
  ok(name, 'GET /v1/query?strValue=a', { strValue: 'a' }),
  ok(name, 'GET /v1/query?renamed=a', { otherName: 'a' }),
  ok(name, 'GET /v1/query?otherName=a', { otherName: 'a' }),
  bad(name, 'GET /v1/query?nope=a', /query parameter "nope": .* has no field "nope"/),
  bad(name, 'GET /v1/query?nested.nope=a', /query parameter "nested.nope": .*Nested has no field/),
  bad(name, 'GET /v1/query?str.x=a', /query parameter "str.x": str is no message/),
  bad(name, 'GET /v1/query?Str=a', /has no field "Str"/),
  bad(name, 'GET /v1/query?__proto__=a', /has no field "__proto__"/),
  bad(name, 'GET /v1/query?constructor.prototype.x=a', /has no field "constructor"/),
  bad(name, 'GET /v1/query?=a', /has no field ""/),
  bad(name, 'GET /v1/query?nested..str=a', /has no field ""/),
  ok(nested, 'GET /v1/query?nested.str=a&nested.i64=5', { nested: { str: 'a', i64: '5' } }),
  ok(nested, 'GET /v1/query?nested.nested.nested.str=a', {
    nested: { nested: { nested: { str: 'a' } } },
  }),
  ok(nested, 'GET /v1/query?nested.strs=a&nested.strs=b', { nested: { strs: ['a', 'b'] } }),
  bad(nested, 'GET /v1/query?nested=a', /"nested" names transcoding.v1.Nested, which no parameter/),
  ok(repeated, 'GET /v1/query?strs=a&strs=b&strs=a', { strs: ['a', 'b', 'a'] }),
  ok(repeated, 'GET /v1/query?strs=a,b', { strs: ['a,b'] }),
  ok(repeated, 'GET /v1/query?i64s=1&i64s=9007199254740993', { i64s: ['1', '9007199254740993'] }),
  ok(repeated, 'GET /v1/query?colors=COLOR_RED&colors=2', { colors: ['COLOR_RED', 'COLOR_GREEN'] }),
  ok(repeated, 'GET /v1/query?strValues=a&str_values=b', { strValues: ['a', 'b'] }),
  bad(
    'http.proto: only a repeated field is several parameters',
    'GET /v1/query?str=a&str=b',
    /twice/,
  ),
  bad(
    'http.proto: only a repeated field is several parameters',
    'GET /v1/query?strValue=a&str_value=b',
    /twice/,
  ),
  bad(noMessages, 'GET /v1/query?items=a', /"items" names repeated transcoding.v1.Nested/),
  bad(noMessages, 'GET /v1/query?items.str=a', /"items.str": items is a repeated field/),
  bad(types, 'GET /v1/query?labels=a', /"labels" names a map/),
  bad(types, 'GET /v1/query?any=a', /"any" names google.protobuf.Any/),
  bad(whole, 'POST /v1/whole?str=a', /"str" is not one here: all fields .* are in the body/),
  bad(pathBound, 'GET /v1/path/one/a?str=b', /"str" is not one here: the path binds this field/),
  bad(pathBound, 'GET /v1/path/x/deep?nested.nested.str=b', /the path binds this field/),
  ok(others, 'GET /v1/path/x/deep?nested.str=b', { nested: { str: 'b', nested: { str: 'x' } } }),
  bad(bodyBound, 'POST /v1/parts/a/nested?nested.str=b', /the body holds this field/, body({})),
  ok(
    others,
    'POST /v1/parts/a/nested?i32=5',
    { str: 'a', i32: 5, nested: { str: 'n' } },
    body({ str: 'n' }),
  ),
  ok(form, 'GET /v1/query?str=a+b%2Bc', { str: 'a b+c' }),
  ok(form, 'GET /v1/query?str=a=b', { str: 'a=b' }),
  ok(form, 'GET /v1/query?str', {}),
  ok(form, 'GET /v1/query?&&str=a&', { str: 'a' }),
  ok(form, 'GET /v1/query?', {}),
  ok(form, 'GET /v1/query?s%74r=a', { str: 'a' }),
  ok(form, 'GET /v1/query?str=%F0%9F%98%80', { str: '😀' }),
  ok(form, 'GET /v1/query?str=a?b', { str: 'a?b' }),
  bad(form, 'GET /v1/query?str=%ff', /query parameter "str": not percent-encoded UTF-8/),
  bad(form, 'GET /v1/query?str=%', /query parameter "str": not percent-encoded UTF-8/),
  ok(int32, 'GET /v1/query?i32=-2147483648&u32=4294967295', { i32: -2147483648, u32: 4294967295 }),
  bad(int32, 'GET /v1/query?i32=2147483648', /"i32" has the value "2147483648", which is out of/),
  bad(int32, 'GET /v1/query?u32=-1', /"u32".* out of the range of uint32/),
  bad(int32, 'GET /v1/query?i32=1.5', /"i32".* no int32: write a decimal integer/),
  bad(int32, 'GET /v1/query?i32=', /"i32".* no int32/),
  bad(int32, 'GET /v1/query?i32=0x10', /"i32".* no int32/),
  bad(int32, 'GET /v1/query?i32=%201', /"i32".* no int32/),
  ok(int64, 'GET /v1/query?i64=-9223372036854775808', { i64: '-9223372036854775808' }),
  ok(int64, 'GET /v1/query?u64=18446744073709551615', { u64: '18446744073709551615' }),
  ok(int64, 'GET /v1/query?text_i64=9223372036854775807', { textI64: '9223372036854775807' }),
  ok(int64, 'GET /v1/query?s64=-1&fix32=7', { s64: '-1', fix32: 7 }),
  bad(int64, 'GET /v1/query?i64=9223372036854775808', /"i64".* out of the range of int64/),
  bad(int64, `GET /v1/query?i64=${'9'.repeat(500)}`, /"i64".* no int64/),
  ok(float, 'GET /v1/query?f64=-1.5e300&f32=0.5', { f64: -1.5e300, f32: 0.5 }),
  ok(float, 'GET /v1/query?f64=NaN&f32=-Infinity', { f64: 'NaN', f32: '-Infinity' }),
  bad(float, 'GET /v1/query?f64=1e400', /"f64".* out of the range of double/),
  bad(float, 'GET /v1/query?f32=1e39', /"f32".* out of the range of float/),
  bad(float, 'GET /v1/query?f64=one', /"f64".* no double/),
  ok(enums, 'GET /v1/query?color=COLOR_GREEN', { color: 'COLOR_GREEN' }),
  ok(enums, 'GET /v1/query?color=1', { color: 'COLOR_RED' }),
  ok('proto3: enums are open', 'GET /v1/query?color=77', { color: 77 }),
  bad(enums, 'GET /v1/query?color=red', /"color".* no value of the enum transcoding.v1.Color/),
  ok(bytes, 'GET /v1/query?data=-_8', { data: '+/8=' }),
  ok(bytes, 'GET /v1/query?data=%2B/8=', { data: '+/8=' }),
  bad(bytes, 'GET /v1/query?data=a*b', /"data".* no base64/),
  ok(bools, 'GET /v1/query?bool=true', { bool: true }),
  ok(bools, 'GET /v1/query?bool=false', {}),
  bad(bools, 'GET /v1/query?bool=1', /"bool".* no bool: write true or false/),
  bad(bools, 'GET /v1/query?bool', /"bool" has the value "", which is no bool/),
  ok('proto3: explicit presence', 'GET /v1/query?optionalI32=0', { optionalI32: 0 }),
  ok(timestamp, 'GET /v1/query?timestamp=2017-01-15T01:30:15Z', {
    timestamp: '2017-01-15T01:30:15Z',
  }),
  ok(timestamp, 'GET /v1/query?timestamp=2017-01-15T03:30:15%2B02:00', {
    timestamp: '2017-01-15T01:30:15Z',
  }),
  bad(timestamp, 'GET /v1/query?timestamp=1484443815', /"timestamp".* no timestamp: write it as/),
  ok(duration, 'GET /v1/query?duration=1.5s', { duration: '1.500s' }),
  bad(duration, 'GET /v1/query?duration=1m', /"duration".* no duration: write it in seconds/),
  ok(mask, 'GET /v1/query?mask=str,nested.strValue', { mask: 'str,nested.strValue' }),
  ok(mask, 'GET /v1/query?mask=nested.str_value', { mask: 'nested.strValue' }),
  bad(mask, 'GET /v1/query?mask=a..b', /"mask".* no field mask/),
  ok(wrapper, 'GET /v1/query?i64Value=5&boolValue=false&dataValue=-_8', {
    i64Value: '5',
    boolValue: false,
    dataValue: '+/8=',
  }),
  ok(wrapper, 'GET /v1/query?choiceValue=a', { choiceValue: 'a' }),
  bad(wrapper, 'GET /v1/query?i64Value=x', /"i64Value".* no int64/),
  ok('ProtoJSON: Value is any JSON value', 'GET /v1/query?value=%5B1%5D', { value: [1] }),
  ok('ProtoJSON: Struct is a JSON object', 'GET /v1/query?struct=%7B%22a%22:1%7D', {
    struct: { a: 1 },
  }),
  bad(
    'ProtoJSON: Struct is a JSON object',
    'GET /v1/query?struct=%5B%5D',
    /"struct".* no JSON text/,
  ),
  ok(oneof, 'GET /v1/query?choiceNested.str=a', { choiceNested: { str: 'a' } }),
  bad(
    oneof,
    'GET /v1/query?choiceStr=a&choiceI32=1',
    /cannot be set beside choiceStr: .*one oneof/,
  ),
  bad(oneof, 'GET /v1/query?choiceStr=a&choiceNested.str=b', /cannot be set beside choiceStr/),
];
