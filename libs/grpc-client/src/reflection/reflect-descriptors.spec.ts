import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { startHost } from '@apix/hostx/testing';
import { ProtoModule, ProtoRegistry } from '@apix/proto';
import { fromBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { credentials } from '@grpc/grpc-js';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Module } from '@nestjs/common';
import { GrpcMethod } from '@nestjs/microservices';
import { changedSet, withoutJsonNames } from '../../../proto/src/complete/bare-set.fixture.js';
import { SHOP } from '../client.fixture.js';
import { NetworkTransport } from '../transport/network-transport.js';
import { GrpcModule } from '../../../grpc/src/nest/grpc.module.js';
import { GrpcServer } from '../../../grpc/src/nest/grpc-server.js';
import { reflectDescriptors } from './reflect-descriptors.js';
import type { ReflectionOptions } from './reflection-options.js';
import {
  type Script,
  failure,
  files,
  scriptedReflection,
  services,
} from './scripted-reflection.fixture.js';
import { stockServer } from './stock-reflection.fixture.js';

@Controller()
class CatalogController {
  @GrpcMethod('shop.v1.Catalog', 'Get')
  get(): object {
    return {};
  }
}

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0).toReversed()) await step();
});

function transportTo(endpoint: string): NetworkTransport {
  const transport = new NetworkTransport({
    endpoint,
    credentials: credentials.createInsecure(),
    channelOptions: {},
    connectTimeoutMs: 2_000,
  });
  cleanUp.push(() => transport.close());
  return transport;
}

const reflect = (endpoint: string, options?: ReflectionOptions) =>
  reflectDescriptors(transportTo(endpoint), options);

async function scripted(script: Script, version?: string): Promise<string> {
  const server = await scriptedReflection(script, version);
  cleanUp.push(() => server.stop());
  return server.endpoint;
}

const SHOP_FILE = {
  name: 'shop.proto',
  package: 'shop',
  dependency: ['google/protobuf/empty.proto'],
  service: [
    {
      name: 'Catalog',
      method: [
        {
          name: 'Get',
          inputType: '.google.protobuf.Empty',
          outputType: '.google.protobuf.Empty',
        },
      ],
    },
  ],
};

/** A server with one service, whose file imports what is given. */
const shopThatImports =
  (dependency: readonly string[], imports: Script): Script =>
  (question) => {
    if (question.case === 'listServices') return services('shop.Catalog');
    if (question.case === 'fileContainingSymbol') {
      return files({ ...SHOP_FILE, dependency: [...SHOP_FILE.dependency, ...dependency] });
    }
    return imports(question);
  };

describe('reflectDescriptors', () => {
  it('gets from a server of this package what it was started with, the same each time', async () => {
    @Module({
      imports: [
        ProtoModule.forRoot({ descriptors: SHOP }),
        GrpcModule.forRoot({
          port: 0,
          host: '127.0.0.1',
          reflection: true,
          unenforcedPolicies: 'allow',
        }),
      ],
      controllers: [CatalogController],
    })
    class App {}
    const { app, stop } = await startHost(App, { http: false, shutdownTimeout: '5s' });
    cleanUp.push(stop);
    const { address } = app!.get(GrpcServer);
    const bytes = await reflect(address);
    const registry = ProtoRegistry.load(bytes);
    const own = ProtoRegistry.load(SHOP).method('/shop.v1.Catalog/Get');
    expect(registry.method('/shop.v1.Catalog/Get')?.proto).toEqual(own?.proto);
    expect(Buffer.compare(await reflect(address), bytes)).toBe(0);
  });

  it('gets from a stock server of Node what its types are called, and how they hang together', async () => {
    const { endpoint, stop } = await stockServer();
    cleanUp.push(stop);
    const { registry } = ProtoRegistry.load(await reflect(endpoint));
    const names = registry
      .getMessage('weather.v1.Day')!
      .fields.map((field) => [field.jsonName, (field.message ?? field.enum)?.typeName]);
    expect(names).toEqual([
      ['townName', undefined],
      ['dayKind', 'weather.Kind'],
      ['mainWind', 'weather.v1.Day.Wind'],
      ['windByHour', 'weather.v1.Day.Wind'],
      ['leastDegrees', undefined],
      ['stationName', undefined],
      ['satelliteId', undefined],
      ['issuedAt', 'google.protobuf.Timestamp'],
      ['hourlyDegrees', undefined],
    ]);
  });

  it('gets from a server whose code has no JSON names those that follow', async () => {
    const { file } = fromBinary(
      FileDescriptorSetSchema,
      changedSet(readFileSync(SHOP), withoutJsonNames),
    );
    const endpoint = await scripted(({ case: kind, value }) => {
      if (kind === 'listServices') return services('shop.v1.Catalog');
      return kind === 'fileContainingSymbol'
        ? files(...file)
        : failure(`no ${JSON.stringify(value)}`);
    });
    const fieldsIn = ({ registry }: ProtoRegistry) =>
      [...registry.files].flatMap((it) =>
        it.messages.flatMap(({ fields }) =>
          fields.map((field) => `${field.toString()}: ${field.jsonName}`),
        ),
      );
    const names = fieldsIn(ProtoRegistry.load(await reflect(endpoint)));
    expect(names.toSorted()).toEqual(fieldsIn(ProtoRegistry.load(SHOP)).toSorted());
  });

  it('asks by v1alpha where the server has no other version, and adds well-known files', async () => {
    const endpoint = await scripted(
      shopThatImports([], () => failure('not found')),
      'v1alpha',
    );
    const registry = ProtoRegistry.load(await reflect(endpoint));
    expect([...registry.methods.keys()]).toEqual(['/shop.Catalog/Get']);
  });

  it('asks for what a file imports until all is there', async () => {
    const asked: string[] = [];
    const endpoint = await scripted(
      shopThatImports(['a.proto'], ({ value }) => {
        asked.push(value as string);
        if (value === 'a.proto') return files({ name: 'a.proto', dependency: ['b.proto'] });
        return value === 'b.proto' ? files({ name: 'b.proto' }) : failure('no such file');
      }),
    );
    expect(ProtoRegistry.load(await reflect(endpoint)).files()).toHaveLength(4);
    expect(asked.toSorted()).toEqual(['a.proto', 'b.proto', 'google/protobuf/empty.proto']);
  });
});

const endless = (name: string) => files({ name, dependency: [`${name}x`] });

describe('a server that says what cannot be used', () => {
  it.each<[string, Script, ReflectionOptions, string]>([
    ['no services', () => services(), {}, 'lists no services'],
    ['another answer', () => files(), {}, 'it answered something else'],
    ['bytes that are no message', () => Buffer.from([0xff]), {}, 'what is not a message of it'],
    [
      'a file that is none',
      shopThatImports([], () => ({
        case: 'fileDescriptorResponse',
        value: { fileDescriptorProto: [Uint8Array.of(0xff)] } as never,
      })),
      {},
      'a file that is not a descriptor',
    ],
    ['files without names', shopThatImports(['a'], () => files({})), {}, 'a file without a name'],
    [
      'other files than those it is asked for, for ever',
      shopThatImports(['a'], () => files({ name: 'b' })),
      {},
      'sent other files than "a"',
    ],
    [
      'a service that no file declares',
      ({ case: kind }) => (kind === 'listServices' ? services('a.B') : files({ name: 'c' })),
      {},
      'lists the service a.B, and its files do not declare it',
    ],
    [
      'an import that it does not have',
      shopThatImports(['a.proto'], () => failure('gone')),
      {},
      'does not describe "a.proto": gone',
    ],
    [
      'imports without end',
      shopThatImports(['a'], ({ value }) => endless(value as string)),
      { maxFiles: 50 },
      'in more than 50 files',
    ],
    [
      'more services than allowed',
      () => services(...Array.from({ length: 51 }, (_, n) => `a.S${n}`)),
      { maxFiles: 50 },
      'lists more than 50 services',
    ],
    [
      'more bytes than allowed',
      shopThatImports(['a'], () => files({ name: 'a', package: 'x'.repeat(100_000) })),
      { maxBytes: 90_000 },
      'in more than 90000 bytes',
    ],
    ['nothing at all', () => undefined, { timeout: '100ms' }, 'ended with DEADLINE_EXCEEDED'],
  ])('%s is an error that says so', async (_what, script, options, message) => {
    await expect(reflect(await scripted(script), options)).rejects.toThrow(message);
  });

  it('a message over the limit of the connection is refused before it is read', async () => {
    const endpoint = await scripted(() => Buffer.alloc(100 * 1024 * 1024));
    await expect(reflect(endpoint)).rejects.toThrow(/RESOURCE_EXHAUSTED.*larger than max/);
  });

  it.each([
    ['files that import each other', ['a', 'b', 'a']],
    ['a file that imports itself', ['a', 'a']],
  ])('%s end, and do not load', async (_what, circle) => {
    const script = shopThatImports(['a'], ({ value }) =>
      circle.includes(value as string)
        ? files({
            name: value as string,
            dependency: [circle[circle.indexOf(value as string) + 1]!],
          })
        : failure('no'),
    );
    const bytes = await reflect(await scripted(script));
    expect(() => ProtoRegistry.load(bytes)).toThrow('imports itself');
  });

  it('the longest chain of imports that is taken can be loaded', async () => {
    const length = 4_094;
    const script = shopThatImports(['f1'], ({ value }) => {
      if (value === 'google/protobuf/empty.proto') return failure('no');
      const from = Number((value as string).slice(1));
      const chain = Array.from({ length: Math.min(500, length - from + 1) }, (_, n) => ({
        name: `f${from + n}`,
        dependency: from + n < length ? [`f${from + n + 1}`] : [],
      }));
      return files(...chain);
    });
    const bytes = await reflect(await scripted(script), { timeout: '60s' });
    expect(ProtoRegistry.load(bytes).files()).toHaveLength(4_096);
  });

  it('a server without reflection is named, with what to do', async () => {
    const endpoint = await scripted(() => undefined, 'v9');
    await expect(reflect(endpoint)).rejects.toThrow(
      'has no server reflection: switch it on there, or use a descriptor set',
    );
  });

  it('a server that is not there is named', async () => {
    await expect(reflect('127.0.0.1:1', { timeout: '5s' })).rejects.toThrow(
      /reflection of 127\.0\.0\.1:1 ended with UNAVAILABLE/,
    );
  });

  it.each([
    [{ timeout: 0 }, 'timeout: must be greater than 0'],
    [{ maxBytes: 0 }, 'maxBytes: must be an integer of at least 1'],
    [{ maxFiles: 1.5 }, 'maxFiles: must be an integer of at least 1'],
  ])('the options %j are refused', async (options, message) => {
    await expect(reflect('127.0.0.1:1', options)).rejects.toThrow(message);
  });
});
