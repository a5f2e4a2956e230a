import { readFileSync } from 'node:fs';
import { ProtoRegistry } from '@apix/proto/core';
import { create, fromBinary, setExtension, toBinary } from '@bufbuild/protobuf';
import {
  DescriptorProtoSchema,
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
  FieldDescriptorProtoSchema,
  FieldOptionsSchema,
  FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { type EchoServer, TRANSCODING, startEchoServer } from '../fixtures/echo-server.fixture.js';
import { targetBy } from '../fixtures/openapi-client.fixture.js';
import { type Answer, type Served, ask, serve } from '../fixtures/serve.fixture.js';
import { FieldBehavior, field_behavior } from '../gen/google/api/field_behavior_pb.js';
import { Gateway } from '../http/gateway.js';
import { compileServices } from '../rules/compile-services.js';
import { inProcessUpstream } from '../upstream/in-process-upstream.js';
import type { Upstream } from '../upstream/upstream.js';
import { buildOpenApi } from './build-document.js';
import type { Operation, Parameter } from './document.js';

const RULES = [{ selector: 'transcoding.v1.EchoService.Query', get: '/v1/query' }];

/** The echo server's descriptors with messages that have no fields, in a oneof, outside of it, below another field. */
function registryWithEmpties(): ProtoRegistry {
  const set = fromBinary(FileDescriptorSetSchema, new Uint8Array(readFileSync(TRANSCODING)));
  const file = set.file.find(({ name }) => name === 'transcoding/v1/transcoding.proto')!;
  const typed = (name: string): (typeof file.messageType)[number] =>
    file.messageType.find((type) => type.name === name)!;
  file.messageType.push(create(DescriptorProtoSchema, { name: 'Nothing' }));
  const everything = typed('Everything');
  const choice = everything.oneofDecl.findIndex(({ name }) => name === 'choice');
  const add = (to: string, name: string, typeName: string, init: object = {}): void => {
    const number = 100 + typed(to).field.length;
    const base = { name, jsonName: name, number, type: Type.MESSAGE, label: Label.OPTIONAL };
    typed(to).field.push(create(FieldDescriptorProtoSchema, { ...base, typeName, ...init }));
  };
  add('Everything', 'choiceNone', '.google.protobuf.Empty', { oneofIndex: choice });
  add('Everything', 'choiceNothing', '.transcoding.v1.Nothing', { oneofIndex: choice });
  add('Everything', 'all', '.transcoding.v1.Nothing', { options: required() });
  add('Everything', 'nothings', '.transcoding.v1.Nothing', { label: Label.REPEATED });
  add('Nested', 'none', '.google.protobuf.Empty');
  return ProtoRegistry.load(toBinary(FileDescriptorSetSchema, set));
}

function required() {
  const options = create(FieldOptionsSchema);
  setExtension(options, field_behavior, [FieldBehavior.REQUIRED]);
  return options;
}

const protos = registryWithEmpties();
const { bindings } = compileServices(protos.services, RULES);
const document = buildOpenApi({ protos, bindings, prefix: '', transcoding: {} });
const operation: Operation = document.paths['/v1/query']!['get']!;
const parameterOf = (wanted: string): Parameter | undefined =>
  operation.parameters!.find(({ name }) => name === wanted);

describe('a message without fields as a parameter', () => {
  let echo: EchoServer;
  let upstream: Upstream;
  let served: Served;
  beforeAll(async () => {
    echo = await startEchoServer(protos);
    upstream = inProcessUpstream(echo.door);
    served = await serve(new Gateway(protos, upstream, { rules: RULES, forms: true }).handle);
  });
  afterAll(async () => {
    await served.close();
    upstream.close();
    echo.stop();
  });

  const get = (query: string): Promise<Answer> => ask(served.port, `/v1/query?${query}`);

  it.each([
    ['choiceNone', { choiceNone: {} }],
    ['choiceNone=', { choiceNone: {} }],
    ['choiceNothing={}', { choiceNothing: {} }],
    ['choiceNothing=%7B%7D', { choiceNothing: {} }],
    ['all=&str=a', { all: {}, str: 'a' }],
    ['nested.none=', { nested: { none: {} } }],
    ['choiceNested.none', { choiceNested: { none: {} } }],
  ])('is set by %s', async (query, message) => {
    const { status, json } = await get(query);
    expect([status, json]).toEqual([200, message]);
  });

  it.each([
    [
      'choiceNone=true',
      'query parameter "choiceNone" has the value "true", which is not empty: google.protobuf.Empty has no fields',
    ],
    [
      'choiceNothing={"a":1}',
      'query parameter "choiceNothing" has the value "{\\"a\\":1}", which is not empty: transcoding.v1.Nothing has no fields',
    ],
    [
      'choiceNone&choiceNone',
      'query parameter "choiceNone" is given twice, but its field is not repeated',
    ],
    [
      'choiceNone&choiceStr=a',
      'query parameter "choiceStr" cannot be set together with choiceNone: they are in one oneof',
    ],
    ['choiceNone.a=1', 'query parameter "choiceNone.a": google.protobuf.Empty has no field "a"'],
    [
      'nothings',
      'query parameter "nothings" names repeated transcoding.v1.Nothing, which a parameter cannot hold',
    ],
  ])('is refused by %s', async (query, detail) => {
    const { status, json } = await get(query);
    expect([status, (json as { detail: string }).detail]).toEqual([400, detail]);
  });

  it('is set by a client that follows the document', async () => {
    const values = { choiceNone: '', all: '', 'nested.none': '' };
    const { status, json } = await ask(served.port, targetBy('/v1/query', operation, values));
    expect([status, json]).toEqual([200, { choiceNone: {}, all: {}, nested: { none: {} } }]);
  });

  it('is the empty text in the document', async () => {
    const form = { in: 'query', schema: { type: 'string', enum: [''] }, allowEmptyValue: true };
    expect(parameterOf('choiceNone')).toEqual({ name: 'choiceNone', ...form });
    expect(parameterOf('nested.none')).toEqual({ name: 'nested.none', ...form });
    expect(parameterOf('all')).toEqual({ name: 'all', required: true, example: '', ...form });
    expect(parameterOf('nothings')).toBeUndefined();
    const copy = JSON.parse(JSON.stringify(document)) as Record<string, unknown>;
    expect(await new Validator().validate(copy)).toEqual({ valid: true });
  });

  it('cannot be a variable of a path, which is never empty', () => {
    const rule = { selector: 'transcoding.v1.EchoService.Query', get: '/v1/a/{choiceNone}' };
    expect(() => compileServices(protos.services, [rule])).toThrow(
      'must refer to a primitive field, not a message',
    );
  });
});
