import { create } from '@bufbuild/protobuf';
import {
  FieldDescriptorProtoSchema,
  UninterpretedOptionSchema,
  UninterpretedOption_NamePartSchema,
} from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from '@jest/globals';
import { Dice } from '../differential/dice.fixture.js';
import { RandomJson } from '../differential/random-json.fixture.js';
import { randomTypes } from '../differential/random-types.fixture.js';
import { wireCodec } from '../wire/wire-codec.js';
import { fitsWire, JsonCodec } from './json-codec.js';

describe('fitsWire', () => {
  it('says of no message that it fits when it does not, whatever it was read from', () => {
    let fitted = 0;
    for (let world = 0; world < 60; world++) {
      const types = randomTypes(new Dice(world));
      const codec = new JsonCodec(types.registry);
      for (let nth = 0; nth < 60; nth++) {
        const dice = new Dice(world * 1_013 + nth);
        const desc = dice.pick(types.messages);
        const json = new RandomJson(dice, types).text(desc, 0);
        const read = attempt(() => codec.decode(desc, json));
        const wire = read && attempt(() => wireCodec(desc).encode(read));
        if (read === undefined || wire === undefined) continue;
        fitted += 1;
        const textBytes = Buffer.byteLength(json);
        const fits = (maxBytes: number): boolean => fitsWire(desc, read, textBytes, maxBytes);
        expect([world, nth, fits(wire.length), fits(wire.length - 1)]).toEqual([
          world,
          nth,
          true,
          false,
        ]);
      }
    }
    expect(fitted).toBeGreaterThan(2_000);
  });

  it('throws for one that lacks a required field, at any depth', () => {
    const option = create(UninterpretedOptionSchema, {
      name: [create(UninterpretedOption_NamePartSchema)],
    });
    const field = create(FieldDescriptorProtoSchema, {
      options: { uninterpretedOption: [option] },
    });
    expect(() => fitsWire(UninterpretedOptionSchema, option, 10, Infinity)).toThrow('required');
    expect(() => fitsWire(FieldDescriptorProtoSchema, field, 10, Infinity)).toThrow('required');
  });
});

function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
