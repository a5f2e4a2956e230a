import { readFileSync } from 'node:fs';
import { ProtoRegistry } from '@apix/proto/core';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema, OneofDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from '@jest/globals';
import { TRANSCODING, startEchoServer } from '../fixtures/echo-server.fixture.js';
import { useRig } from '../fixtures/rig.fixture.js';
import { ask, serve } from '../fixtures/serve.fixture.js';
import { Gateway } from '../http/gateway.js';
import { inProcessUpstream } from '../upstream/in-process-upstream.js';

const JSON_TYPE = { 'content-type': 'application/json' };

describe.each(['network', 'http2', 'in-process'] as const)(
  'a PATCH on a rule with a mask (%s)',
  (via) => {
    const rig = useRig(via);
    const patch = async (path: string, body?: string) => {
      const port = await rig.start();
      const sent = body === undefined ? {} : { body, headers: JSON_TYPE };
      return ask(port, path, { method: 'PATCH', ...sent });
    };

    it.each<[string, string, string | undefined, object]>([
      ['without a body has no mask', '/v1/updates/a', undefined, { item: { str: 'a' } }],
      [
        'without a body keeps the mask of the query',
        '/v1/updates/a?update_mask=strs',
        undefined,
        { item: { str: 'a' }, updateMask: 'strs' },
      ],
      [
        'keeps the mask of the query for the whole resource',
        '/v1/updates/a?updateMask=*',
        '{"i32":1}',
        { item: { str: 'a', i32: 1 }, updateMask: '*' },
      ],
      [
        'with an empty object has an empty mask',
        '/v1/updates/a',
        '{}',
        { item: { str: 'a' }, updateMask: '' },
      ],
      [
        'with null members has them in the mask',
        '/v1/updates/a',
        '{"i32":null}',
        { item: { str: 'a' }, updateMask: 'i32' },
      ],
      [
        'with an empty object inside has it in the mask',
        '/v1/updates/a',
        '{"nested":{}}',
        { item: { str: 'a', nested: {} }, updateMask: 'nested' },
      ],
    ])('%s', async (_, path, body, json) => {
      const answer = await patch(path, body);
      expect([answer.status, answer.json]).toEqual([200, json]);
    });
  },
);

/** The echo server's descriptors with the item and the mask of an update in one oneof. */
function registryWithOneof(): ProtoRegistry {
  const set = fromBinary(FileDescriptorSetSchema, new Uint8Array(readFileSync(TRANSCODING)));
  const request = set.file
    .flatMap((file) => file.messageType)
    .find(({ name }) => name === 'UpdateRequest')!;
  request.oneofDecl.push(create(OneofDescriptorProtoSchema, { name: 'what' }));
  for (const field of request.field) field.oneofIndex = 0;
  return ProtoRegistry.load(toBinary(FileDescriptorSetSchema, set));
}

it('A mask that is in a oneof with the body does not take its place', async () => {
  const registry = registryWithOneof();
  const echo = await startEchoServer(registry);
  const upstream = inProcessUpstream(echo.door);
  const served = await serve(new Gateway(registry, upstream).handle);
  const sent = { method: 'PATCH', body: '{"i32":1}', headers: JSON_TYPE };
  const answer = await ask(served.port, '/v1/updates/a', sent);
  expect([answer.status, answer.json]).toEqual([200, { item: { str: 'a', i32: 1 } }]);
  await served.close();
  upstream.close();
  echo.stop();
});
