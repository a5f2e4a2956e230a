import { JsonCodec } from '@apix/proto/core';
import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { transcodingRegistry } from '../fixtures/echo-server.fixture.js';
import { compileServices } from '../rules/compile-services.js';
import { buildOpenApi } from './build-document.js';

const protos = transcodingRegistry();
const { bindings } = compileServices(protos.services);
const { components } = buildOpenApi({ protos, bindings, prefix: '', transcoding: {} });

/** A message with every kind of field, as JSON. */
const EVERYTHING = {
  str: 'a',
  bool: true,
  i32: 1,
  u32: 1,
  i64: '1',
  u64: '1',
  f32: 1.5,
  f64: 1.5,
  data: 'AQ==',
  color: 'COLOR_RED',
  nested: { str: 'a', strs: ['a'] },
  strs: ['a'],
  i64s: ['1'],
  colors: ['COLOR_RED'],
  items: [{ i64: '1' }],
  labels: { a: 'b' },
  timestamp: '2026-01-02T03:04:05Z',
  duration: '1.500s',
  mask: 'str,nested.str',
  strValue: 'a',
  i64Value: '1',
  boolValue: true,
  dataValue: 'AQ==',
  choiceStr: 'a',
  optionalI32: 1,
  s64: '1',
  fix32: 1,
  textI64: '1',
  otherName: 'a',
  strValues: ['a'],
};

describe('the schema of a message', () => {
  const $ref = '#/components/schemas/transcoding.v1.Everything';
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const fits = ajv.compile({ components, $ref });

  it('takes what the gateway takes and sends', () => {
    const codec = new JsonCodec(protos.registry);
    const desc = protos.registry.getMessage('transcoding.v1.Everything')!;
    const message = codec.decode(desc, Buffer.from(JSON.stringify(EVERYTHING)));
    expect(JSON.parse(Buffer.from(codec.encodeBytes(desc, message)).toString())).toEqual(
      EVERYTHING,
    );
    expect(fits(EVERYTHING)).toBe(true);
  });

  it.each(Object.keys(EVERYTHING))('says what %s is', (name) => {
    expect(fits({ ...EVERYTHING, [name]: { str: [true] } })).toBe(false);
    expect(fits({ ...EVERYTHING, [name]: [[true]] })).toBe(false);
  });
});
