import { describe, expect, it } from '@jest/globals';
import { type DescMessage, fromBinary, fromJsonString, toBinary } from '@bufbuild/protobuf';
import { kinds } from '../../kinds.fixture.js';
import { JsonCodec } from '../json-codec.js';

const { registry } = kinds;
const lenient = new JsonCodec(registry, { unknownFields: 'ignore' });
const typeOf = (name: string): DescMessage => registry.getMessage(`apix.testdata.${name}`)!;
const Sized = typeOf('Sized');
const Wired = typeOf('Wired');
const Written = typeOf('Written');
const reading = { registry, ignoreUnknownFields: true };

describe('an enum name that is ignored', () => {
  it.each([
    ['{"size":"NO_SUCH"}', '$.size'],
    ['{"inner":{"size":"NO_SUCH"},"size":"SMALL"}', '$.inner.size'],
  ])('leaves a required field unset, which the wire does not take: %s', (json, place) => {
    const message = fromJsonString(Sized, json, reading);
    expect(() => toBinary(Sized, message)).toThrow('required field not set');
    expect(lenient.decode(Sized, json)).toEqual(message);
    expect(() => lenient.toWire(Sized, json)).toThrow(`${place}: the required field is not set`);
  });

  it('does not hide a required field that is there', () => {
    expect(lenient.toWire(Sized, '{"size":"LARGE","other":1}')).toEqual(Buffer.of(0x08, 3));
  });

  it.each([
    ['{"shadeByText":{"a":"NO_SUCH","a":"SHADE_DARK"}}', 'a'],
    ['{"shadeByText":{"a":"SHADE_DARK","a":"NO_SUCH"}}', 'a'],
    ['{"shadeByText":{"a":"NO_SUCH","a":"NO_SUCH"}}', 'a'],
    ['{"shadeByText":{"__proto__":"NO_SUCH","__proto__":"SHADE_DARK"}}', '__proto__'],
  ])('takes the key of a map: %s', (json, key) => {
    const problem = `$.shadeByText.${key}: given more than once`;
    expect(() => fromJsonString(Wired, json, reading)).toThrow(`duplicate object key "${key}"`);
    expect(() => lenient.decode(Wired, json)).toThrow(problem);
    expect(() => lenient.toWire(Wired, json)).toThrow(problem);
  });

  it('leaves no entry in a map', () => {
    const json = '{"shadeByText":{"a":"NO_SUCH","b":"SHADE_DARK","__proto__":"NO_SUCH"}}';
    const message = lenient.decode(Wired, json);
    expect(message).toEqual(fromJsonString(Wired, json, reading));
    expect(message).toHaveProperty('shadeByText', { b: 3 });
    expect(fromBinary(Wired, Uint8Array.from(lenient.toWire(Wired, json)))).toEqual(message);
  });

  it.each(['"NO_SUCH"', 'null'])(
    'leaves an extension unset, as null does, which protobuf-es sets to the first value: %s',
    (value) => {
      const json = `{"text":"a","[apix.testdata.size_beside]":${value}}`;
      expect(lenient.toWire(Written, json)).toEqual(Buffer.from('120161', 'hex'));
      expect(lenient.decode(Written, json).$unknown).toBeUndefined();
      const theirs = toBinary(Written, fromJsonString(Written, json, reading));
      expect(Buffer.from(theirs)).toEqual(Buffer.from('120161d00601', 'hex'));
    },
  );
});
