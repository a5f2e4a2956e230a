import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import {
  type DescService,
  type Message,
  createFileRegistry,
  fromBinary,
  toBinary,
  create,
} from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { Client, Metadata, type ServiceError, credentials } from '@grpc/grpc-js';
import { step } from '../../chromium.js';
import {
  type CallOptions,
  createClient,
  failureOf,
  transportsTo,
} from '../../connect/clients/transports.js';
import type { Bed } from '../bed.js';
import { GatewayCommand, untilStatus } from '../gateway.js';
import { startKeys } from './policies.js';

interface Plant extends Message {
  readonly name: string;
  readonly height: number;
  readonly bed: string;
}

interface Garden {
  getPlant(request: object, options?: CallOptions): Promise<Plant>;
  createPlant(request: object, options?: CallOptions): Promise<Plant>;
  watchPlants(request: object, options?: CallOptions): AsyncIterable<Plant>;
  sow(requests: AsyncIterable<object>): Promise<{ messages: number; seeds: number }>;
  talk(requests: AsyncIterable<object>): AsyncIterable<{ text: string }>;
}

const DEADLINE_EXCEEDED = 4;
const NOT_FOUND = 5;
const PERMISSION_DENIED = 7;
const RESOURCE_EXHAUSTED = 8;
const UNAUTHENTICATED = 16;

/** Connect's client by all its protocols and grpc-js, to a server that knows only gRPC, under its policies. */
export async function testProtocols(bed: Bed): Promise<void> {
  const backend = await bed.python();
  const keys = await startKeys(bed);
  const settings = {
    backend: backend.address,
    protocols: ['rest', 'connect', 'grpc-web', 'grpc'],
    http2: true,
    compress: true,
    ...keys.settings,
  };
  const config = bed.file('protocols.json', JSON.stringify(settings));
  const { url, command } = await bed.gateway(['--config', config]);
  await untilStatus(`${url}/readyz`, 200);
  const set = fromBinary(FileDescriptorSetSchema, readFileSync(bed.places.sets.garden));
  const registry = createFileRegistry(set);
  const service = registry.getService('garden.v1.Garden')!;
  const [guest, gardener] = [await keys.token(['guest']), await keys.token(['gardener'])];
  for (const { name, transport, isHttp2 } of transportsTo(url, url, registry)) {
    const garden = createClient(service, transport) as Garden;
    await step(`${name}: 401, 403 and an answer, and only that is the server's`, async () => {
      const plant = { bed: 'south', plant: { height: 3 } };
      backend.calls.length = 0;
      assert.equal((await failureOf(garden.createPlant(plant))).code, UNAUTHENTICATED);
      const denied = garden.createPlant(plant, { headers: bearer(guest) });
      assert.equal((await failureOf(denied)).code, PERMISSION_DENIED);
      const made = await garden.createPlant(plant, { headers: bearer(gardener) });
      assert.deepEqual([made.bed, made.height], ['south', 3]);
      assert.deepEqual(backend.calls, ['garden.v1.Garden/CreatePlant']);
    });
    await step(`${name}: errors, with details`, async () => {
      const { code, rawMessage } = await failureOf(garden.getPlant({ name: 'plants/elm' }));
      assert.deepEqual([code, rawMessage], [NOT_FOUND, 'no plants/elm here']);
      const wrong = { bed: 'south', plant: { height: -1 } };
      const { details } = await failureOf(garden.createPlant(wrong, { headers: bearer(gardener) }));
      assert.equal(details.length, 1);
    });
    await step(`${name}: streams, their errors and deadlines`, async () => {
      const heights = await heightsOf(garden.watchPlants({ times: 3 }));
      assert.deepEqual(heights, [0, 1, 2]);
      const failing = garden.watchPlants({ times: 1, fails: true });
      assert.equal((await failureOf(heightsOf(failing))).code, RESOURCE_EXHAUSTED);
      const endless = garden.watchPlants({ times: 1_000, everyMs: 1_000 }, { timeoutMs: 100 });
      assert.equal((await failureOf(heightsOf(endless))).code, DEADLINE_EXCEEDED);
      const sown = await garden.sow(each([{ count: 2 }, { count: 5 }]));
      assert.deepEqual([sown.messages, sown.seeds], [2, 7]);
    });
    if (!isHttp2) continue;
    await step(`${name}: streams in both directions`, async () => {
      const words: string[] = [];
      for await (const { text } of garden.talk(each([{ text: 'moss' }, { text: 'oak' }]))) {
        words.push(text);
      }
      assert.deepEqual(words, ['ssom', 'kao']);
    });
  }
  await step('grpc-js: 401, 403 and an answer', async () => {
    const call = grpcCaller(url, service);
    bed.add(call.close);
    backend.calls.length = 0;
    assert.equal(await call.create(undefined), UNAUTHENTICATED);
    assert.equal(await call.create(guest), PERMISSION_DENIED);
    assert.equal(await call.create(gardener), 'south');
    assert.deepEqual(backend.calls, ['garden.v1.Garden/CreatePlant']);
  });
  await step('the log has one event for each call, with its protocol', async () => {
    const { out } = await command.stop();
    const lines = out.split('\n').filter((line) => line.includes('"protocol":"grpc"'));
    const events = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const created = events.filter(({ handler }) => handler === '/garden.v1.Garden/CreatePlant');
    // Connect's gRPC transport makes four, grpc-js three.
    assert.equal(created.length, 7);
  });
  await step('--check lists the methods and their protocols', async () => {
    const { code, out } = await GatewayCommand.run(bed.places, ['--config', config, '--check']);
    assert.equal(code, 0);
    assert.match(out, /^connect, grpc-web, grpc +\/garden\.v1\.Shed\/Look$/m);
    assert.doesNotMatch(out, /grpc\.(?:health|reflection)/);
  });
}

function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

async function heightsOf(plants: AsyncIterable<Plant>): Promise<number[]> {
  const heights: number[] = [];
  for await (const { height } of plants) heights.push(height);
  return heights;
}

async function* each(messages: readonly object[]): AsyncGenerator<object> {
  yield* messages;
}

function grpcCaller(url: string, service: DescService) {
  const client = new Client(new URL(url).host, credentials.createInsecure());
  const { input, output } = service.method['createPlant']!;
  return {
    /** The bed of the new plant, or the code of the error. */
    create: (token: string | undefined) =>
      new Promise<unknown>((resolve) => {
        const metadata = new Metadata();
        if (token !== undefined) metadata.set('authorization', `Bearer ${token}`);
        client.makeUnaryRequest(
          '/garden.v1.Garden/CreatePlant',
          (request: { bed: string }) => Buffer.from(toBinary(input, create(input, request))),
          (bytes: Buffer) => fromBinary(output, bytes) as Plant,
          { bed: 'south' },
          metadata,
          (error: ServiceError | null, plant?: Plant) => resolve(error?.code ?? plant?.bed),
        );
      }),
    close: () => client.close(),
  };
}
