import { Buffer } from 'node:buffer';
import { describe, expect, it, jest } from '@jest/globals';
import { type Message, create } from '@bufbuild/protobuf';
import { AnySchema } from '@bufbuild/protobuf/wkt';
import { KindsSchema, kinds } from '../../kinds.fixture.js';
import { wireCodec } from '../../wire/wire-codec.js';
import { JsonCodec } from '../json-codec.js';
import { registry, streamed, written } from './written-json.fixture.js';

const codec = new JsonCodec(kinds.registry);
const TOO_DEEP = 'nested deeper than 100 levels';
const message = (init: object): Message => create(KindsSchema, init as never);

/** An Any in an Any, so many times. Each is a few bytes longer than what it holds. */
function nestedAny(levels: number): Message {
  const url = Buffer.from('\n\u0023type.googleapis.com/google.protobuf.Any\u0012', 'latin1');
  url[1] = url.length - 3;
  const parts: Buffer[] = [];
  let length = 0;
  for (let level = 1; level < levels; level++) {
    const head = Buffer.concat([url, varint(length)]);
    parts.push(head);
    length += head.length;
  }
  const value = new Uint8Array(Buffer.concat(parts.toReversed()));
  return create(AnySchema, { typeUrl: 'type.googleapis.com/google.protobuf.Any', value });
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return Buffer.from([...bytes, rest]);
}

function loop<T extends object>(part: T, hold: (part: T) => void): T {
  hold(part);
  return part;
}

describe('the depth of JSON', () => {
  it.each<[string, Message]>([
    ['a message', loop(message({}), (it) => Object.assign(it, { child: it }))],
    ['a list', loop(message({}), (it) => Object.assign(it, { children: [it, it] }))],
    ['a map', loop(message({}), (it) => Object.assign(it, { kindsByText: { a: it } }))],
    [
      'a oneof',
      loop(message({}), (it) => Object.assign(it, { choice: { case: 'choiceKinds', value: it } })),
    ],
    ['a Struct', message({ struct: loop({}, (it) => Object.assign(it, { a: it })) })],
    [
      'a list in a Struct',
      message({ struct: { a: loop([] as unknown[], (it) => it.push(it, it)) } }),
    ],
  ])('that has no end, by %s that holds itself, is refused with its place', (_name, endless) => {
    expect(() => written(KindsSchema, endless)).toThrow(TOO_DEEP);
    expect(() => written(KindsSchema, endless)).toThrow(/\$\.\w+.*: nested/);
  });

  it('is refused where it comes from an Any in an Any, from messages and from the wire', () => {
    const any = nestedAny(20_000);
    // Each level reads all that is in it again: 20,000 of them would hold the process for seconds.
    const lookUps = jest.spyOn(registry, 'getMessage');
    try {
      expect(() => written(AnySchema, any)).toThrow(TOO_DEEP);
      expect(() => streamed(AnySchema, wireCodec(AnySchema).encode(any))).toThrow(TOO_DEEP);
      expect(lookUps.mock.calls.length).toBeLessThan(1_000);
    } finally {
      lookUps.mockRestore();
    }
  });

  it('is no more than can be read again', () => {
    const any = nestedAny(99);
    const text = written(AnySchema, any);
    expect(written(AnySchema, codec.decode(AnySchema, text))).toBe(text);
    expect(() => written(AnySchema, nestedAny(100))).toThrow(TOO_DEEP);
    let deep = message({});
    for (let level = 1; level < 100; level++) deep = message({ child: deep });
    expect(codec.decode(KindsSchema, written(KindsSchema, deep))).toEqual(deep);
    expect(() => written(KindsSchema, message({ child: deep }))).toThrow(TOO_DEEP);
    let json: unknown = 1;
    for (let level = 0; level < 49; level++) json = level % 2 === 0 ? { a: json } : [json];
    const structured = message({ struct: json });
    expect(codec.decode(KindsSchema, written(KindsSchema, structured))).toEqual(structured);
    const deeper = message({ struct: { a: [json] } });
    expect(() => written(KindsSchema, deeper)).toThrow(TOO_DEEP);
  });
});
