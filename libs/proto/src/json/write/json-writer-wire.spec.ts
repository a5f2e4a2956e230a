import { describe, expect, it } from '@jest/globals';
import { create, fromBinary, fromJson, toBinary, toJsonString } from '@bufbuild/protobuf';
import { TimestampSchema } from '@bufbuild/protobuf/wkt';
import { bytesOf } from '../../bytes/byte-sink.js';
import { KindsSchema } from '../../kinds.fixture.js';
import { WireSource } from '../../wire/wire-source.js';
import { NOTHING } from './fragments.js';
import { jsonWriter, MessageWriters } from './json-writer.js';
import { MessageStreams } from './wire/message-streams.js';
import { PLAIN, careless, registry, streamed } from './written-json.fixture.js';

describe('jsonWriter.wire', () => {
  it.each([
    ['nothing', []],
    ['a field of a later version', [0xfa, 0x7f, 0x01, 0x61, 0x18, 0x05]],
    ['a field twice', [0x18, 0x05, 0x18, 0x06]],
    ['fields out of order', [0x20, 0x05, 0x18, 0x06]],
    ['two fields of a oneof', [0xe2, 0x01, 0x01, 0x61, 0xe8, 0x01, 0x07]],
    ['a message in two parts', [0x8a, 0x01, 0x02, 0x18, 0x05, 0x8a, 0x01, 0x02, 0x20, 0x06]],
    ['a list in two places', [0xa0, 0x01, 0x05, 0xaa, 0x01, 0x00, 0xa0, 0x01, 0x06]],
    ['a packed list in two chunks', [0xa2, 0x01, 0x01, 0x05, 0xa2, 0x01, 0x01, 0x06]],
    ['a list of both encodings', [0xa0, 0x01, 0x05, 0xa2, 0x01, 0x01, 0x06, 0xa0, 0x01, 0x07]],
    ['a packed list of nothing', [0xa2, 0x01, 0x00]],
    ['a map key twice', [0xc2, 0x01, 0x02, 0x0a, 0x00, 0xc2, 0x01, 0x02, 0x0a, 0x00]],
    ['an entry of a map without a key', [0xc2, 0x01, 0x03, 0x12, 0x01, 0x61]],
    [
      'an entry of a map with its value first',
      [0xc2, 0x01, 0x06, 0x12, 0x01, 0x61, 0x0a, 0x01, 0x62],
    ],
    ['an empty entry of a map of messages', [0xd2, 0x01, 0x00]],
    ['zeros of fields without presence', [0x18, 0x00, 0x20, 0x00, 0x68, 0x00, 0x72, 0x00]],
    ['a varint longer than it need be', [0x18, 0x85, 0x80, 0x00]],
    ['a tag longer than it need be', [0x98, 0x80, 0x80, 0x80, 0x00, 0x05]],
    ['an unknown group', [0xa3, 0x06, 0x08, 0x01, 0xa4, 0x06, 0x18, 0x05]],
  ])('writes %s as protobuf-es does', (_, bytes) => {
    const wire = Uint8Array.from(bytes);
    const json = toJsonString(KindsSchema, fromBinary(KindsSchema, wire), { registry });
    expect(streamed(KindsSchema, wire)).toBe(json);
  });

  it.each([
    ['a cut varint', 'goes beyond the end', [0x18, 0x85]],
    ['a length beyond the end', 'a length beyond the end', [0x72, 0x05, 0x61]],
    ['field number 0', 'not the tag of a field', [0x00, 0x01]],
    ['an unknown wire type', 'not the tag of a field', [0x1f]],
    ['invalid UTF-8', 'not valid UTF-8', [0x72, 0x01, 0xff]],
    ['an end of a group that did not begin', 'the end of a group that did not begin', [0xa4, 0x06]],
  ])('refuses %s', (_, message, bytes) => {
    expect(() => streamed(KindsSchema, Uint8Array.from(bytes))).toThrow(message);
  });

  it('refuses what has no JSON form, and says where', () => {
    const timestamp = create(TimestampSchema, { seconds: 253_402_300_800n });
    const late = toBinary(KindsSchema, careless({ child: careless({ timestamp }) }));
    expect(() => streamed(KindsSchema, late)).toThrow(
      '$.child.timestamp: google.protobuf.Timestamp is outside of the years 1 to 9999: 253402300800',
    );
  });

  it('writes as many levels of messages as protobuf-es reads, and refuses more', () => {
    const nested = (levels: number): Uint8Array => {
      let wire = new Uint8Array(0);
      for (let i = 1; i < levels; i++) {
        const length =
          wire.length < 128 ? [wire.length] : [(wire.length & 0x7f) | 0x80, wire.length >> 7];
        wire = Uint8Array.from([0x8a, 0x01, ...length, ...wire]);
      }
      return wire;
    };
    expect(streamed(KindsSchema, nested(100))).toBe(`${'{"child":'.repeat(99)}{}${'}'.repeat(99)}`);
    expect(() => streamed(KindsSchema, nested(101))).toThrow('nested deeper than 100 levels');
  });

  it('needs no message between for fields of every kind that come in order', () => {
    const json = {
      doubleValue: 0.5,
      int32Value: -1,
      int64Value: '-9223372036854775808',
      uint64Value: '18446744073709551615',
      sint32Value: -7,
      sint64Value: '-8',
      fixed64Value: '9',
      sfixed32Value: -10,
      boolValue: true,
      stringValue: 'text',
      bytesValue: 'AQI=',
      colour: 'COLOUR_BLUE',
      child: { colour: 'COLOUR_RED' },
      int64List: ['1', '2'],
      stringList: ['a', ''],
      children: [{}, { int32Value: 1 }],
      colours: ['COLOUR_RED', 'COLOUR_BLUE'],
      textByText: { a: 'b' },
      int64ByInt64: { 1: '-2' },
      kindsByText: { a: {} },
      doubleByBool: { true: 1 },
      choiceNumber: '3',
      timestamp: '2024-02-29T00:00:00Z',
      duration: '1.500s',
      mask: 'int32Value',
      struct: { a: [1, null, {}] },
      anyJson: ['x'],
      wrappedInt64: '4',
      wrappedString: '',
      empty: {},
    };
    const wire = toBinary(KindsSchema, fromJson(KindsSchema, json));
    const streams = new MessageStreams(
      registry,
      PLAIN,
      new MessageWriters(registry, PLAIN).writePacked,
    );
    const stream = streams.of(KindsSchema);
    const bytes = bytesOf((sink) => stream(new WireSource(wire), sink, NOTHING, 1));
    expect(bytes.toString()).toBe(JSON.stringify(json));
  });

  it('leaves what its source and sink hold besides', () => {
    const message = fromJson(KindsSchema, { int32Value: 5 });
    const wire = toBinary(KindsSchema, message);
    const source = new WireSource(Uint8Array.from([9, ...wire, 0x20, 0x01]));
    source.at = 1;
    source.end = 1 + wire.length;
    const { wire: stream } = jsonWriter(registry, PLAIN);
    const bytes = bytesOf((sink) => {
      sink.append(Uint8Array.of(0x61));
      stream(KindsSchema, source, sink);
    });
    expect(bytes.toString()).toBe('a{"int32Value":5}');
    expect(source.at).toBe(source.end);
  });
});
