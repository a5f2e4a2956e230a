import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import {
  type DescMessage,
  type JsonValue,
  type Message,
  fromBinary,
  toJson,
} from '@bufbuild/protobuf';
import { bytesOf } from '../../bytes/byte-sink.js';
import { kinds } from '../../kinds.fixture.js';
import { wireCodec } from '../../wire/wire-codec.js';
import { WireSource } from '../../wire/wire-source.js';
import { typesFirst, withNulls } from '../json-forms.fixture.js';
import { jsonWriter } from './json-writer.js';
import type { JsonWriteOptions } from './write-value.js';
import { RandomWire } from './random-wire.fixture.js';

const { registry } = kinds;
const TYPES = ['Kinds', 'Written', 'Demanding', 'Edited'].map((name) =>
  registry.getMessage(`apix.testdata.${name}`)!,
);
const ALL_OPTIONS = (['none', 'values', 'all'] as const).flatMap((emitDefaults) =>
  [false, true].flatMap((protoNames) =>
    [false, true].map((enumsAsNumbers) => ({ emitDefaults, protoNames, enumsAsNumbers })),
  ),
);
const WRITERS = ALL_OPTIONS.map((options) => [options, jsonWriter(registry, options)] as const);

const seed = fc.integer();
const type = fc.constantFrom(...TYPES);
const writer = fc.constantFrom(...WRITERS);

/** What protobuf-es makes of a message on the wire. */
function expectedJson(desc: DescMessage, wire: Uint8Array, options: JsonWriteOptions): string {
  const json = toJson(desc, fromBinary(desc, wire), {
    registry,
    alwaysEmitImplicit: options.emitDefaults !== 'none',
    useProtoFieldName: options.protoNames,
    enumAsInteger: options.enumsAsNumbers,
  });
  const complete =
    options.emitDefaults === 'all' ? withNulls(desc, json, options.protoNames) : json;
  return typesFirst(JSON.parse(JSON.stringify(complete)) as JsonValue);
}

/** What the codec reads; it refuses more than protobuf-es does. */
function messageOrNone(desc: DescMessage, bytes: Uint8Array): Message | undefined {
  try {
    return wireCodec(desc).decode(bytes);
  } catch {
    return undefined;
  }
}

function textOrError(write: () => string): string {
  try {
    return write();
  } catch {
    return 'an error';
  }
}

describe('jsonWriter against protobuf-es', () => {
  it.each([
    ['whose fields are in order', true, false],
    ['whose fields come in any order and more than once', false, false],
    ['with damaged bytes', true, true],
  ])('writes messages %s alike, from messages and from the wire', (_, tidy, isDamaged) => {
    fc.assert(
      fc.property(seed, type, writer, (seed, desc, [options, { message, wire }]) => {
        const random = new RandomWire(registry, seed);
        const whole = random.message(desc, tidy);
        const bytes = isDamaged ? random.damaged(whole) : whole;
        const read = messageOrNone(desc, bytes);
        const expected =
          read === undefined ? 'an error' : textOrError(() => expectedJson(desc, bytes, options));
        const streamed = textOrError(() =>
          bytesOf((sink) => wire(desc, new WireSource(bytes), sink)).toString(),
        );
        const written =
          read === undefined
            ? 'an error'
            : textOrError(() => bytesOf((sink) => message(desc, read, sink)).toString());
        expect([streamed, written]).toEqual([expected, expected]);
      }),
      { numRuns: 300 },
    );
  });
});
