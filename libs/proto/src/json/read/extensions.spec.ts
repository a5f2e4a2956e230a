import { describe, expect, it } from '@jest/globals';
import { getExtension, hasExtension } from '@bufbuild/protobuf';
import { kinds } from '../../kinds.fixture.js';
import { wireCodec } from '../../wire/wire-codec.js';
import { JsonCodec } from '../json-codec.js';
import { JsonDecodeError } from '../json-decode-error.js';

const { registry } = kinds;
const Edited = registry.getMessage('apix.testdata.Edited')!;
const beside = registry.getExtension('apix.testdata.beside')!;

/** A message with an extension, which is so many groups inside one another. */
function nested(groups: number): string {
  let json = '{"required":""}';
  for (let i = 1; i < groups; i++) json = `{"required":"","delimited":${json}}`;
  return `{"required":"","[apix.testdata.beside]":${json}}`;
}

describe('an extension', () => {
  it('may hold as many groups inside one another as messages nest', () => {
    const codec = new JsonCodec(registry);
    const message = codec.decode(Edited, nested(99));
    expect(hasExtension(message, beside)).toBe(true);
    expect(wireCodec(Edited).encode(message)).toEqual(codec.toWire(Edited, nested(99)));
    for (const read of [codec.decode.bind(codec), codec.toWire.bind(codec)]) {
      expect(() => read(Edited, nested(100))).toThrow(JsonDecodeError);
    }
  });

  it('may hold more of them where messages may nest more deeply', () => {
    const codec = new JsonCodec(registry, { maxDepth: 300 });
    const message = codec.decode(Edited, nested(299));
    expect(message.$unknown).toHaveLength(1);
    expect(() => codec.decode(Edited, nested(300))).toThrow(JsonDecodeError);
  });

  it('is in the message as protobuf-es has it', () => {
    const message = new JsonCodec(registry).decode(Edited, nested(2));
    expect(getExtension(message, beside)).toMatchObject({
      required: '',
      delimited: { required: '' },
    });
  });
});
