import { describe, expect, it } from '@jest/globals';
import {
  type DescMessage,
  type Message,
  type Registry,
  create,
  fromBinary,
  toBinary,
} from '@bufbuild/protobuf';
import { kinds } from '../kinds.fixture.js';
import { ValueError } from '../values/value-error.js';
import { wireCodec } from './wire-codec.js';

const registry: Registry = kinds.registry;
const typeOf = (name: string): DescMessage => registry.getMessage(name)!;
const Kinds = typeOf('apix.testdata.Kinds');
const Wired = typeOf('apix.testdata.Wired');

/** A message with members as they are given, whatever they are. */
function holding(desc: DescMessage, members: Readonly<Record<string, unknown>>): Message {
  return Object.assign(create(desc), members);
}

const child = (members: Readonly<Record<string, unknown>>): Message => holding(Kinds, members);

describe('encode', () => {
  it.each<[Readonly<Record<string, unknown>>, string]>([
    [{ int32Value: 2 ** 40 }, 'int32Value: expected an integer (int32), got 1099511627776'],
    [{ int32Value: NaN }, 'int32Value: expected an integer (int32), got NaN'],
    [{ int32Value: undefined }, 'int32Value: expected an integer (int32), got undefined'],
    [{ uint64Value: -1n }, 'uint64Value: expected a bigint (uint64), got -1n'],
    [{ floatValue: 1e39 }, 'floatValue: expected a number (float), got 1e+39'],
    [{ stringValue: 5 }, 'stringValue: expected a string, got 5'],
    [{ boolValue: 'true' }, 'boolValue: expected a boolean, got "true"'],
    [{ bytesValue: 'YQ' }, 'bytesValue: expected a Uint8Array, got "YQ"'],
    [{ colour: 1.5 }, 'colour: expected a number of enum apix.testdata.Colour, got 1.5'],
    [{ optionalString: null }, 'optionalString: expected a string, got null'],
    [{ child: { int32Value: 1 } }, 'child: expected a message apix.testdata.Kinds, got an object'],
    [{ child: null }, 'child: expected a message apix.testdata.Kinds, got null'],
    [
      { child: create(Wired) },
      'child: expected a message apix.testdata.Kinds, got a message apix.testdata.Wired',
    ],
    [
      { children: [child({}), child({ int32Value: 1.5 })] },
      'children[1].int32Value: expected an integer (int32), got 1.5',
    ],
    [
      { children: [undefined] },
      'children[0]: expected a message apix.testdata.Kinds, got undefined',
    ],
    [{ int64List: [1n, null] }, 'int64List[1]: expected a bigint (int64), got null'],
    [{ stringList: Array(1) }, 'stringList[0]: expected a string, got undefined'],
    [{ stringList: undefined }, 'stringList: expected an array, got undefined'],
    [{ stringList: 'ab' }, 'stringList: expected an array, got "ab"'],
    [
      { textByText: new Map([['a', 'b']]) },
      'textByText: expected an object with the entries of a map, got an object',
    ],
    [{ textByText: { 'a"b': 1 } }, 'textByText["a\\"b"]: expected a string, got 1'],
    [
      { int64ByInt64: { '01': 1n } },
      'int64ByInt64["01"]: expected a key that is an integer (int64), got "01"',
    ],
    [
      { doubleByBool: { yes: 1 } },
      'doubleByBool["yes"]: expected a key that is "true" or "false", got "yes"',
    ],
    [
      { kindsByText: { a: child({ sint64Value: 0.5 }) } },
      'kindsByText["a"].sint64Value: expected a bigint (int64), got 0.5',
    ],
    [{ choice: undefined }, 'choice: expected an object with the case of the oneof, got undefined'],
    [
      { choice: { case: 'nothing', value: 1 } },
      'choice: expected a case of the oneof (choiceText, choiceNumber, choiceKinds), got "nothing"',
    ],
    [{ choice: { case: 'choiceText', value: 1 } }, 'choiceText: expected a string, got 1'],
    [
      { choice: { case: 'choiceKinds', value: undefined } },
      'choiceKinds: expected a message apix.testdata.Kinds, got undefined',
    ],
    [{ wrappedInt64: 'x' }, 'wrappedInt64: expected a bigint (int64), got "x"'],
    [{ struct: [] }, 'struct: expected a JSON object, got an array of 0'],
    [{ struct: { a: [1, undefined] } }, 'struct["a"][1]: expected a JSON value, got undefined'],
    [{ struct: { a: new Date(0) } }, 'struct["a"]: expected an object with the entries of a map'],
    [{ $unknown: [{ no: 0 }] }, '$unknown[0]: expected the number of a field, got 0'],
    [
      { $unknown: [{ no: 1, wireType: 4 }] },
      '$unknown[0]: expected a wire type (0, 1, 2, 3 or 5), got 4',
    ],
    [
      { $unknown: [{ no: 5000, wireType: 2, data: Uint8Array.of(3, 1) }] },
      '$unknown[0]: expected one value of wire type 2, got bytes (2)',
    ],
  ])('refuses what a field cannot hold, by its place: %j', (members, problem) => {
    const encode = (): unknown => wireCodec(Kinds).encode(child(members));
    expect(encode).toThrow(ValueError);
    expect(encode).toThrow(`apix.testdata.Kinds.${problem}`);
  });

  it('refuses a closed enum a number that it does not have, and a required field that is missing', () => {
    const encode = (members: Readonly<Record<string, unknown>>) => () =>
      wireCodec(Wired).encode(holding(Wired, members));
    expect(encode({ shade: 7 })).toThrow(
      'apix.testdata.Wired.shade: expected a number of enum apix.testdata.Shade, got 7',
    );
    expect(encode({ needy: create(typeOf('apix.testdata.Needy')) })).toThrow(
      'apix.testdata.Wired.needy.name: a required field that is not set',
    );
  });

  it.each([undefined, null, 'text', 5, [], {}, new Date(0), () => 1])(
    'refuses what is no message: %p',
    (value) => {
      const encode = (): unknown => wireCodec(Kinds).encode(value as never);
      expect(encode).toThrow(
        /^apix\.testdata\.Kinds: expected a message apix\.testdata\.Kinds, got /,
      );
    },
  );

  it('refuses messages that hold themselves, or more than a reader would take', () => {
    const endless = child({});
    Object.assign(endless, { child: endless });
    expect(() => wireCodec(Kinds).encode(endless)).toThrow('nested deeper than 100 levels');
    const loop: Record<string, unknown> = {};
    loop['loop'] = loop;
    expect(() => wireCodec(Kinds).encode(child({ struct: loop }))).toThrow('nested deeper than');
    let deep = child({});
    for (let level = 1; level < 100; level++) deep = child({ child: deep });
    const bytes = wireCodec(Kinds).encode(deep);
    expect(wireCodec(Kinds).decode(bytes)).toEqual(deep);
    expect(() => wireCodec(Kinds).encode(child({ child: deep }))).toThrow('nested deeper than');
  });

  it('writes what the wire makes of a value', () => {
    const message = child({
      floatValue: 0.1,
      doubleValue: -0,
      int64Value: 5,
      uint64Value: '7',
      stringValue: `${'x'.repeat(60)}\ud800`,
      optionalString: '\udc00',
      int32Value: -0,
    });
    expect(wireCodec(Kinds).decode(wireCodec(Kinds).encode(message))).toMatchObject({
      floatValue: Math.fround(0.1),
      doubleValue: -0,
      int64Value: 5n,
      uint64Value: 7n,
      stringValue: `${'x'.repeat(60)}\ufffd`,
      optionalString: '\ufffd',
      int32Value: 0,
    });
  });

  it('writes the next message whole after one that it refused', () => {
    const good = child({ stringValue: 'good' });
    expect(() => wireCodec(Kinds).encode(child({ stringValue: 'a', boolValue: 1 }))).toThrow();
    expect(wireCodec(Kinds).encode(good)).toEqual(Buffer.from(toBinary(Kinds, good)));
  });

  it('lets an error of a getter through as it is', () => {
    const message = create(Kinds);
    Object.defineProperty(message, 'stringValue', {
      get: () => {
        throw new TypeError('of the getter');
      },
    });
    expect(() => wireCodec(Kinds).encode(message)).toThrow(new TypeError('of the getter'));
  });

  it('writes a message while another is written', () => {
    const inner = child({ stringValue: 'inner' });
    const message = create(Kinds);
    Object.defineProperty(message, 'stringValue', {
      get: () => wireCodec(Kinds).encode(inner).toString('hex'),
    });
    expect(fromBinary(Kinds, wireCodec(Kinds).encode(message))).toMatchObject({
      stringValue: Buffer.from(toBinary(Kinds, inner)).toString('hex'),
    });
  });
});
