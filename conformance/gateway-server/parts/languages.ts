import assert from 'node:assert/strict';
import { credentials, Client, type ServiceError } from '@grpc/grpc-js';
import { step } from '../../chromium.js';
import { ask } from '../asked.js';
import type { Bed } from '../bed.js';
import { CppServer } from '../cpp-server.js';
import { GatewayCommand, untilStatus } from '../gateway.js';

const OPEN = '/seeds.v1.Drawer/Open';

const PACKET = {
  plantName: 'rose',
  seedCount: 3,
  innerPacket: { plantName: 'moss' },
  sownByBed: { south: 2 },
  Label: 'best before 2027',
};

/** A server of C++, whose generated code describes itself without the JSON names that follow from names. */
export async function testLanguages(bed: Bed): Promise<void> {
  const server = await CppServer.start(bed.places.folder);
  bed.add(() => server.stop());
  const options = ['--backend', server.address, '--backend-health', 'connect', '--unbound'];
  const { url } = await bed.gateway(options);
  await untilStatus(`${url}/readyz`, 200);
  await step(
    'C++: fields have the names that follow from theirs, or that they were given',
    async () => {
      const { status, json } = await ask(url, OPEN, { body: PACKET });
      assert.deepEqual([status, json], [200, PACKET]);
    },
  );
  await step('C++: the document has these names', async () => {
    const { json } = await ask(url, '/openapi.json');
    const { components } = json as {
      components: { schemas: Record<string, { properties: object; required: unknown }> };
    };
    const packet = components.schemas['seeds.v1.Packet']!;
    assert.deepEqual(Object.keys(packet.properties), Object.keys(PACKET));
    assert.deepEqual(packet.required, ['plantName']);
  });
  await step('C++: --check accepts it', async () => {
    const { code } = await GatewayCommand.run(bed.places, [...options, '--check']);
    assert.equal(code, 0);
  });
  await step(
    'C++: a request without a required field is 400 before the server is called',
    async () => {
      const before = server.calls;
      const { status, json } = await ask(url, OPEN, { body: { innerPacket: {} } });
      const { errors } = json as { errors: readonly { field: string }[] };
      assert.deepEqual([status, errors[0]?.field], [400, 'innerPacket.plantName']);
      assert.equal(server.calls, before);
    },
  );
  await step('C++: an answer without one is an error of the server', async () => {
    // Of more than 23 bytes, C++ itself would look for what is missing, and end.
    const { status } = await ask(url, OPEN, { body: { plantName: 'rose', Label: 'illegible' } });
    assert.equal(status, 500);
  });
  await step(
    'C++: the server itself refuses such a request with INTERNAL, as ours does',
    async () => {
      const client = new Client(server.address, credentials.createInsecure());
      const bytes = (it: Buffer): Buffer => it;
      const error = await new Promise<ServiceError | null>((resolve) =>
        client.makeUnaryRequest(OPEN, bytes, bytes, Buffer.alloc(0), resolve),
      );
      client.close();
      assert.equal(error?.code, 13);
    },
  );
}
