import { describe, expect, it } from '@jest/globals';
import {
  type DescMessage,
  type Registry,
  create,
  fromBinary,
  getExtension,
  setExtension,
} from '@bufbuild/protobuf';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { kinds } from '../kinds.fixture.js';
import { wireCodec } from './wire-codec.js';
import { WireError } from './wire-error.js';

const registry: Registry = kinds.registry;
const typeOf = (name: string): DescMessage => registry.getMessage(name)!;
const Kinds = typeOf('apix.testdata.Kinds');
const Wired = typeOf('apix.testdata.Wired');
const Edited = typeOf('apix.testdata.Edited');

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

describe('decode', () => {
  it.each<[string, string, string]>([
    ['a tag that is cut off', 'a2', 'a field that goes beyond the end of what holds it, at byte 0'],
    ['field number 0', '00 01', 'not the tag of a field, at byte 0'],
    ['wire type 7', '0f', 'not the tag of a field, at byte 0'],
    ['a tag of more than 32 bits', '8880808010 00', 'not the tag of a field, at byte 0'],
    ['an end of a group alone', '0c', 'the end of a group that did not begin, at byte 1'],
    ['another wire type', '18 01 1a 01 61', 'field int32_value (3) has wire type 2, at byte 3'],
    [
      'a varint of eleven bytes',
      '18 8080808080808080808001',
      'a varint of more than ten bytes, at byte 1',
    ],
    [
      'an unknown one of eleven',
      'c0b802 8080808080808080808001',
      'a varint of more than ten bytes, at byte 3',
    ],
    [
      'one of eleven bytes of which the message has ten',
      '8a01 0d c0b802 80808080808080808080 01',
      'a varint of more than ten bytes, at byte 6',
    ],
    [
      'one of ten bytes of which the message has nine',
      '8a01 0c c0b802 808080808080808080 01',
      'a field that goes beyond the end of what holds it, at byte 6',
    ],
    [
      'a varint that is cut off',
      '20 80',
      'a field that goes beyond the end of what holds it, at byte 1',
    ],
    ['a double that is cut off', '09 00000000', 'a field that goes beyond the end'],
    [
      'a text longer than the message',
      '72 05 61',
      'a length beyond the end of what holds it, at byte 1',
    ],
    [
      'a length of 2 ** 32',
      '72 8080808010 61',
      'a length beyond the end of what holds it, at byte 1',
    ],
    [
      'a text longer than its message',
      '8a01 02 72 05 6161616161',
      'a length beyond the end of what holds it, at byte 4',
    ],
    [
      'a varint across the end of its message',
      '8a01 02 18 80 01',
      'a field that goes beyond the end',
    ],
    [
      'a float across the end of its message',
      '8a01 03 15 00000000',
      'a field that goes beyond the end',
    ],
    ['a packed item across the end', 'a201 01 80 01', 'a field that goes beyond the end'],
    ['an entry longer than its message', '8a01 03 c201 05 0a', 'a length beyond the end'],
    [
      'an entry of another wire type',
      'c201 02 08 01',
      'an entry of text_by_text has wire type 0 in field 1',
    ],
    ['a text that is not UTF-8', '72 02 c3 28', 'not valid UTF-8, at byte 2'],
    ['a surrogate in UTF-8', '72 03 eda080', 'not valid UTF-8, at byte 2'],
    ['a group without its end', 'c3b802 08 01', 'a field that goes beyond the end'],
    ['a group with the end of another', 'c3b802 0c', 'the end of another group'],
    ['a Struct with another wire type', '9202 02 08 01', 'field 1 of a Struct has wire type 0'],
  ])('refuses %s', (_, bytes, problem) => {
    const decode = (): unknown => wireCodec(Kinds).decode(hex(bytes));
    expect(decode).toThrow(WireError);
    expect(decode).toThrow(`proto: the bytes are not a apix.testdata.Kinds: ${problem}`);
  });

  it('refuses a length that a message does not have before it takes memory', () => {
    expect(() => wireCodec(Kinds).decode(hex('7a ffffffff07'))).toThrow('a length beyond the end');
  });

  it.each<[DescMessage, string]>([
    [Kinds, '8a01'],
    [typeOf('google.protobuf.Value'), '32'],
  ])('refuses more than 100 messages inside one another: %s', (desc, tag) => {
    const nested = (levels: number): Buffer => {
      let bytes = Buffer.alloc(0);
      for (let i = 1; i < levels; i++) {
        const step = desc === Kinds || i % 2 === 0 ? tag : '0a';
        const writer = new BinaryWriter().raw(hex(step)).bytes(bytes);
        bytes = Buffer.from(writer.finish());
      }
      return bytes;
    };
    const legal = desc === Kinds ? 100 : 99;
    expect(wireCodec(desc).decode(nested(legal))).toEqual(fromBinary(desc, nested(legal)));
    const tooDeep = nested(legal + 2);
    expect(() => fromBinary(desc, tooDeep)).toThrow('maximum recursion depth');
    expect(() => wireCodec(desc).decode(tooDeep)).toThrow('nested deeper than 100 levels');
  });

  it('refuses more than 99 unknown groups inside one another', () => {
    const nested = (levels: number): Buffer =>
      hex('c3b802'.repeat(levels) + 'c4b802'.repeat(levels));
    expect(wireCodec(Kinds).decode(nested(99))).toEqual(
      fromBinary(Kinds, Uint8Array.from(nested(99))),
    );
    expect(() => fromBinary(Kinds, nested(100))).toThrow();
    expect(() => wireCodec(Kinds).decode(nested(100))).toThrow('nested deeper than 100 levels');
  });

  it('keeps unknown values of a closed enum next to other unknown fields', () => {
    const message = wireCodec(Wired).decode(hex('28 07 c0b802 01'));
    expect(message.$unknown).toEqual([
      { no: 5, wireType: 0, data: Uint8Array.of(7) },
      { no: 5000, wireType: 0, data: Uint8Array.of(1) },
    ]);
    expect(wireCodec(Wired).encode(message)).toEqual(hex('28 07 c0b802 01'));
  });

  it('shares no memory with the bytes', () => {
    const bytes = hex('7a 02 0102 c2b802 02 0304');
    const message = wireCodec(Kinds).decode(bytes);
    bytes.fill(0xff);
    expect(message).toMatchObject({ bytesValue: Uint8Array.of(1, 2) });
    expect(message.$unknown).toEqual([{ no: 5000, wireType: 2, data: Uint8Array.of(2, 3, 4) }]);
    const { bytesValue } = message as unknown as { bytesValue: Uint8Array };
    expect(Buffer.isBuffer(bytesValue)).toBe(false);
    expect(bytesValue.buffer.byteLength).toBe(2);
  });

  it('gives every message lists, maps and oneofs of its own', () => {
    const [first, second] = [0, 1].map(
      () => wireCodec(Kinds).decode(Buffer.alloc(0)) as unknown as Record<string, object>,
    );
    for (const name of ['stringList', 'textByText', 'choice']) {
      expect(first![name]).not.toBe(second![name]);
    }
    expect(first).toEqual(create(Kinds));
    expect(Object.keys(first!)).toEqual(Object.keys(create(Kinds)));
  });

  it('keeps defaults of proto2 where no reader sees them as set', () => {
    const message = wireCodec(Wired).decode(Buffer.alloc(0)) as unknown as { number: number };
    expect(message.number).toBe(7);
    expect(Object.hasOwn(message, 'number')).toBe(false);
  });

  it('takes __proto__ as a key like any other', () => {
    const entry = new BinaryWriter().tag(1, WireType.LengthDelimited).string('__proto__');
    entry.tag(2, WireType.LengthDelimited).string('value');
    const bytes = new BinaryWriter().tag(24, WireType.LengthDelimited).bytes(entry.finish());
    const encoded = bytes.finish();
    const message = wireCodec(Kinds).decode(encoded) as unknown as { textByText: object };
    expect(Object.entries(message.textByText)).toEqual([['__proto__', 'value']]);
    expect(Object.getPrototypeOf(message.textByText)).toBe(Object.prototype);
    expect(wireCodec(Kinds).encode(message as never)).toEqual(Buffer.from(encoded));
  });

  it('keeps extensions, which protobuf-es reads', () => {
    const extension = registry.getExtension('apix.testdata.extra_texts')!;
    const message = create(Wired);
    setExtension(message, extension, ['a', 'b']);
    const read = wireCodec(Wired).decode(wireCodec(Wired).encode(message));
    expect(getExtension(read, extension)).toEqual(['a', 'b']);
  });

  it('replaces what is not UTF-8 where the field does not ask for it', () => {
    expect(wireCodec(Edited).decodePartial(hex('6a 02 c3 28'))).toMatchObject({
      unchecked: '\ufffd(',
    });
  });

  it('reads a Struct in many parts in the time of one', () => {
    const parts = 20_000;
    const part = (i: number): Uint8Array => {
      const entry = new BinaryWriter().tag(1, WireType.LengthDelimited).string(`k${i}`);
      return new BinaryWriter().tag(1, WireType.LengthDelimited).bytes(entry.finish()).finish();
    };
    const writer = new BinaryWriter();
    for (let i = 0; i < parts; i++) writer.tag(34, WireType.LengthDelimited).bytes(part(i));
    const { struct } = wireCodec(Kinds).decode(writer.finish()) as unknown as { struct: object };
    expect(Object.keys(struct)).toHaveLength(parts);
  });
});
