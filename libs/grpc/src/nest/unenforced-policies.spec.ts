import { CALL_STAGE, type CallStage, POLICY_SOURCE } from '@apix/contracts';
import { HostxModule } from '@apix/hostx';
import { startHost } from '@apix/hostx/testing';
import { type DescriptorSource, ProtoModule } from '@apix/proto';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import {
  type FileDescriptorSet,
  FileDescriptorSetSchema,
  MethodOptionsSchema,
  ServiceOptionsSchema,
} from '@bufbuild/protobuf/wkt';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import {
  Controller,
  type INestApplication,
  Logger,
  Module,
  type Provider,
  type Type,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { GrpcMethod } from '@nestjs/microservices';
import { readFileSync } from 'node:fs';
import { Catalog, file_shop_v1_catalog } from '../../../../apps/demo/src/gen/shop/v1/catalog_pb.js';
import { PROBE, SHOP, call, clientOf, probe } from '../../../grpc-client/src/client.fixture.js';
import { ObservableController } from '../probe.fixture.js';
import type { GrpcModuleOptions } from '../server/grpc-options.js';
import { GrpcModule, connectGrpc } from './grpc.module.js';
import { GrpcServer } from './grpc-server.js';

@Controller()
class CatalogController {
  @GrpcMethod('shop.v1.Catalog', 'Get')
  get({ name }: { readonly name: string }): object {
    return { name };
  }
}

interface Served {
  readonly descriptors?: DescriptorSource | readonly DescriptorSource[];
  readonly controllers?: readonly Type[];
  readonly options?: GrpcModuleOptions;
  readonly providers?: readonly Provider[];
}

/** An app without AuthzModule. */
function served({
  descriptors = SHOP,
  controllers = [CatalogController],
  options = {},
  providers = [],
}: Served = {}): Type {
  @Module({
    imports: [
      ProtoModule.forRoot({ descriptors }),
      GrpcModule.forRoot({ port: 0, host: '127.0.0.1', ...options }),
    ],
    controllers: [...controllers],
    providers: [...providers],
  })
  class App {}
  return App;
}

const authzStage: CallStage = { [CALL_STAGE]: true, name: 'authz', bind: () => null };

const REFUSAL =
  'grpc: the app serves 3 methods with a policy (/shop.v1.Catalog/List, /shop.v1.Catalog/Get, ' +
  '/shop.v1.Catalog/Create), but has no authz stage to enforce it: import ' +
  'AuthzModule.forRoot(…) of @apix/authz, or let every caller in with the option ' +
  "unenforcedPolicies: 'allow'";

let app: INestApplication | undefined;
afterEach(async () => {
  await app?.close();
  app = undefined;
  jest.restoreAllMocks();
});

async function createApp(module: Type): Promise<INestApplication> {
  app = await NestFactory.create(module, { logger: false, abortOnError: false });
  return app;
}

const STARTS: readonly (readonly [string, (module: Type) => Promise<unknown>])[] = [
  ['runHost', (module) => startHost(module, { http: false })],
  [
    'a main of its own with a host',
    async (module) => {
      @Module({ imports: [HostxModule.forRoot({ logger: null, drain: { delay: 0 } }), module] })
      class Hosted {}
      const made = await createApp(Hosted);
      connectGrpc(made);
      await made.listen(0, '127.0.0.1');
    },
  ],
  [
    'a main of its own without a host',
    async (module) => {
      const made = await createApp(module);
      connectGrpc(made);
      await made.startAllMicroservices();
    },
  ],
];

describe.each(STARTS)('a server started by %s', (_, start) => {
  it('refuses to serve policies that nothing enforces, and says what to do', async () => {
    await expect(start(served())).rejects.toThrow(new Error(REFUSAL));
  });

  it('starts where an authz stage enforces them', async () => {
    const providers = [{ provide: 'stage', useValue: authzStage }];
    await expect(start(served({ providers }))).resolves.not.toThrow();
  });

  it('starts with a warning that names them where the option allows it', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => {});
    await start(served({ options: { unenforcedPolicies: 'allow' } }));
    const told = warn.mock.calls.flat().filter((text) => String(text).includes('anyone may call'));
    expect(told).toEqual([
      'anyone may call 3 methods with a policy (/shop.v1.Catalog/List, ' +
        '/shop.v1.Catalog/Get, /shop.v1.Catalog/Create), because the option unenforcedPolicies allows it',
    ]);
  });
});

/** A set whose policies are rewritten by hand, as raw bytes of the option. */
function withOptions(change: (set: FileDescriptorSet) => void): Uint8Array {
  const set = fromBinary(FileDescriptorSetSchema, readFileSync(PROBE));
  change(set);
  return toBinary(FileDescriptorSetSchema, set);
}

const option = (data: number[]) => [{ no: 50701, wireType: 2, data: Uint8Array.from(data) }];
const [service] = probe.services;
const onMethod = (data: number[]) =>
  withOptions(({ file }) => {
    const [, method] = file.flatMap((it) => it.service).flatMap((it) => it.method);
    method!.options = create(MethodOptionsSchema);
    method!.options.$unknown = option(data);
  });
const onService = withOptions(({ file }) => {
  for (const it of file.flatMap((one) => one.service)) {
    it.options = create(ServiceOptionsSchema);
    it.options.$unknown = option([0]);
  }
});

describe('a policy', () => {
  const start = (it: Served) => startHost(served(it), { http: false });
  const controllers = [ObservableController];

  it.each<[string, Served, string]>([
    ['in a descriptor set', {}, '3 methods with a policy (/shop.v1.Catalog/List'],
    [
      'in generated code',
      { descriptors: file_shop_v1_catalog },
      `3 methods with a policy (/${Catalog.typeName}/List`,
    ],
    [
      'that is public, of one method',
      { descriptors: onMethod([2, 24, 1]), controllers },
      `1 method with a policy (/${service!.typeName}/ServerStream)`,
    ],
    [
      'that is empty, of one method',
      { descriptors: onMethod([0]), controllers },
      `1 method with a policy (/${service!.typeName}/ServerStream)`,
    ],
    [
      'of the whole service',
      { descriptors: onService, controllers },
      `4 methods with a policy (/${service!.typeName}/Unary`,
    ],
  ])('%s is found', async (_, it, message) => {
    await expect(start(it)).rejects.toThrow(message);
  });

  it('of a service that this server does not serve is none of its business', async () => {
    const descriptors = [SHOP, PROBE];
    const { app: started } = await start({ descriptors, controllers });
    const client = clientOf(started!.get(GrpcServer).address);
    const { status } = await call(client, service!.methods[0], [{ stringValue: 'hello' }]);
    expect(status).toBe('OK');
  });

  it('next to AuthzModule whose stage does not run is refused, whatever the option says', async () => {
    const providers = [{ provide: 'policies', useValue: { [POLICY_SOURCE]: true } }];
    const options = { unenforcedPolicies: 'allow' } as const;
    await expect(start({ providers, options })).rejects.toThrow('no authz stage enforces them');
  });
});

it('the option unenforcedPolicies takes nothing but its two words', async () => {
  const options = { unenforcedPolicies: false } as unknown as GrpcModuleOptions;
  await expect(startHost(served({ options }), { http: false })).rejects.toThrow(
    'grpc: unenforcedPolicies: must be one of "refuse", "allow", not false',
  );
});
