import { JsonDecodeError } from '@apix/proto/core';
import { expect, it } from '@jest/globals';
import { changedTools, methodIn } from '../tools.fixture.js';
import { toolOf } from '../tools/tool.js';
import { toolsOf } from '../tools/tool-options.js';
import { AnswerJson } from './answer-json.js';

/** Both of its fields are required, as proto2 has it. */
const REQUIRED = '.google.protobuf.UninterpretedOption.NamePart';

const protos = changedTools((file) => (methodIn(file, 'Shelf', 'Put').inputType = REQUIRED));
const description = toolsOf(protos.services).find(({ method }) => method.name === 'Put');
const tool = toolOf(description!, protos);
const json = new AnswerJson(protos.registry, 10);
const read = (text: string | undefined) =>
  json.read(tool, text === undefined ? text : Buffer.from(text));

it.each([
  ['{"namePart":"a"}', '$.isExtension'],
  ['{}', '$.namePart'],
  ['null', '$.namePart'],
  [undefined, '$.namePart'],
])('arguments %s without a required field are refused with its place', (text, place) => {
  expect(() => read(text)).toThrow(new JsonDecodeError(place, 'the required field is not set'));
});

it('arguments with all required fields are read', () => {
  expect(read('{"namePart":"a","isExtension":false}').textBytes).toBe(36);
});
