import { readFileSync } from 'node:fs';
import { ProtoRegistry } from '@apix/proto/core';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import {
  FieldDescriptorProtoSchema,
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
  FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { type EchoServer, TRANSCODING, startEchoServer } from '../fixtures/echo-server.fixture.js';
import { targetBy } from '../fixtures/openapi-client.fixture.js';
import { type Served, ask, serve } from '../fixtures/serve.fixture.js';
import { Gateway } from '../http/gateway.js';
import { compileServices } from '../rules/compile-services.js';
import { inProcessUpstream } from '../upstream/in-process-upstream.js';
import type { Upstream } from '../upstream/upstream.js';
import { buildOpenApi } from './build-document.js';
import type { Operation, Parameter } from './document.js';

const RULES = [
  {
    selector: 'transcoding.v1.EchoService.Query',
    get: '/v1/query',
    additionalBindings: [{ get: '/v1/structs/{struct}' }, { get: '/v1/values/{value}' }],
  },
];

/** The echo server's descriptors with a list, and several of each type whose JSON may be an object. */
function registryWithLists(): ProtoRegistry {
  const set = fromBinary(FileDescriptorSetSchema, new Uint8Array(readFileSync(TRANSCODING)));
  const everything = set.file
    .flatMap((file) => file.messageType)
    .find(({ name }) => name === 'Everything')!;
  const fields = [
    ['list', 'ListValue', Label.OPTIONAL],
    ['structs', 'Struct', Label.REPEATED],
    ['values', 'Value', Label.REPEATED],
    ['lists', 'ListValue', Label.REPEATED],
  ] as const;
  for (const [index, [name, type, label]] of fields.entries()) {
    const field = { name, jsonName: name, number: 100 + index, type: Type.MESSAGE, label };
    const typeName = `.google.protobuf.${type}`;
    everything.field.push(create(FieldDescriptorProtoSchema, { ...field, typeName }));
  }
  return ProtoRegistry.load(toBinary(FileDescriptorSetSchema, set));
}

const protos = registryWithLists();
const { bindings } = compileServices(protos.services, RULES);
const document = buildOpenApi({ protos, bindings, prefix: '', transcoding: {} });
const operationAt = (path: string): Operation => document.paths[path]!['get']!;
const parameterOf = (path: string, wanted: string): Parameter =>
  operationAt(path).parameters!.find(({ name }) => name === wanted)!;

describe('a parameter whose JSON may be an object or a list', () => {
  let echo: EchoServer;
  let upstream: Upstream;
  let served: Served;
  beforeAll(async () => {
    echo = await startEchoServer(protos);
    upstream = inProcessUpstream(echo.door);
    served = await serve(new Gateway(protos, upstream, { rules: RULES }).handle);
  });
  afterAll(async () => {
    await served.close();
    upstream.close();
    echo.stop();
  });

  it.each<[string, object]>([
    ['a Struct with names of other fields', { struct: { str: 'x', i32: 5, nested: { a: [1] } } }],
    ['an empty Struct', { struct: {} }],
    ['a Value that is an object', { value: { str: 'x' } }],
    ['a Value that is a list', { value: [1, 'a', null] }],
    ['a Value that is a string', { value: 'a b&c' }],
    ['a Value that is a string of digits', { value: '5' }],
    ['a Value that is a number', { value: 5 }],
    ['a ListValue', { list: [1, 'a', { str: 'x' }] }],
  ])('is set alone by a client that follows the document: %s', async (_, message) => {
    const target = targetBy('/v1/query', operationAt('/v1/query'), message as never);
    const answer = await ask(served.port, target);
    expect([answer.status, answer.json]).toEqual([200, message]);
  });

  it.each([
    ['structs', [{ str: 'x' }, {}]],
    ['values', ['a', [1], { str: 'x' }]],
    ['lists', [[1], []]],
  ])('is one JSON text for each element of %s', async (name, items) => {
    const texts = { [name]: items.map((item) => JSON.stringify(item)) };
    const target = targetBy('/v1/query', operationAt('/v1/query'), texts);
    const answer = await ask(served.port, target);
    expect([answer.status, answer.json]).toEqual([200, { [name]: items }]);
    expect(parameterOf('/v1/query', name).schema).toMatchObject({
      type: 'array',
      items: { type: 'string', contentMediaType: 'application/json' },
    });
  });

  it.each<[string, Readonly<Record<string, unknown>>]>([
    ['/v1/structs/{struct}', { struct: { str: 'x', a: { b: '/' } } }],
    ['/v1/values/{value}', { value: 'a' }],
    ['/v1/values/{value}', { value: [1, 2] }],
  ])('is a JSON text in the path %s', async (path, message) => {
    const answer = await ask(served.port, targetBy(path, operationAt(path), message));
    expect([answer.status, answer.json]).toEqual([200, message]);
  });

  it('has its sample where its schema is', async () => {
    const sample = parameterOf('/v1/structs/{struct}', 'struct');
    expect(sample).not.toHaveProperty('schema');
    expect(sample).not.toHaveProperty('example');
    expect(sample.content).toEqual({
      'application/json': { schema: { type: 'object' }, example: { key: 'value' } },
    });
    const copy = JSON.parse(JSON.stringify(document)) as Record<string, unknown>;
    expect(await new Validator().validate(copy)).toEqual({ valid: true });
  });
});
