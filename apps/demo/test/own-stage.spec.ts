import 'reflect-metadata';
import { AuthzModule, type SubjectFunc } from '@apix/authz';
import { type BoundCallStage, CallStage, codeName, stagedCallOf } from '@apix/contracts';
import { GatewayModule } from '@apix/gateway';
import { GrpcModule, GrpcServer, GrpcService } from '@apix/grpc';
import { HostxModule } from '@apix/hostx';
import { startHost } from '@apix/hostx/testing';
import { ProtoModule } from '@apix/proto';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { Client, Metadata, type ServiceError, credentials } from '@grpc/grpc-js';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Injectable, Module, type Type } from '@nestjs/common';
import { readFileSync } from 'node:fs';
import { freePort } from '../../../tools/testing/free-port.js';
import { type CancelOrderRequest, Orders } from '../src/gen/shop/v1/orders_pb.js';
import { TENANT, TenantStage } from './tenant-stage.fixture.js';
import { PLAIN_SHOP } from '../../../tools/testing/plain-shop.js';

const subject: SubjectFunc = ({ metadata }) =>
  metadata.get('x-user').length > 0 ? { roles: ['admin'], permissions: ['orders:write'] } : null;

/** Answers with the tenant that the stage found. */
@GrpcService(Orders)
class CancelController {
  cancel({ name }: CancelOrderRequest, metadata: Metadata) {
    return { name: `${name} of ${String(stagedCallOf(metadata)?.values.get(TENANT))}` };
  }
}

function app(stages: readonly Type[], gateway: { readonly endpoint?: string }, port: number): Type {
  @Module({
    imports: [
      HostxModule.forRoot({ logger: null, drain: { delay: 0 } }),
      ProtoModule.forRoot({ descriptors: PLAIN_SHOP }),
      AuthzModule.forRoot({ subject }),
      GrpcModule.forRoot({ port, host: '127.0.0.1' }),
      GatewayModule.forRoot({ mount: '/', forwardHeaders: ['x-user', 'x-tenant'], ...gateway }),
    ],
    controllers: [CancelController],
    providers: [...stages],
  })
  class TenantApp {}
  return TenantApp;
}

type Headers = Readonly<Record<string, string>>;
interface Answer {
  readonly code: string;
  readonly text: string;
}

async function overRest(url: string, headers: Headers): Promise<Answer> {
  const answer = await fetch(`${url}/v1/orders/1001:cancel`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: '{}',
  });
  const body = (await answer.json()) as Readonly<Record<string, string>>;
  return { code: body['code'] ?? 'OK', text: body['detail'] ?? body['name']! };
}

function overGrpc(address: string, headers: Headers): Promise<Answer> {
  const { cancel } = Orders.method;
  const client = new Client(address, credentials.createInsecure());
  const metadata = new Metadata();
  for (const [key, value] of Object.entries(headers)) metadata.set(key, value);
  return new Promise((resolve) => {
    client.makeUnaryRequest(
      '/shop.v1.Orders/Cancel',
      (message: Uint8Array) => Buffer.from(message),
      (bytes) => fromBinary(cancel.output, bytes),
      toBinary(cancel.input, create(cancel.input, { name: 'orders/1001' })),
      metadata,
      (error: ServiceError | null, order) => {
        client.close();
        if (error === null) resolve({ code: 'OK', text: order!.name });
        else resolve({ code: codeName(error.code), text: error.details });
      },
    );
  });
}

let stop: () => Promise<unknown> = () => Promise.resolve();
afterEach(() => stop());

const KNOWN: Headers = { 'x-user': 'ada' };

describe.each(['gRPC', 'REST in-process', 'REST over the network'])(
  'a stage of an app, by %s',
  (by) => {
    let call: (headers: Headers) => Promise<Answer>;

    beforeEach(async () => {
      jest.useFakeTimers({
        doNotFake: [
          'setTimeout',
          'setImmediate',
          'nextTick',
          'setInterval',
          'queueMicrotask',
          'performance',
          'hrtime',
        ],
        now: 60_000_000,
      });
      const port = await freePort();
      const gateway = by === 'REST over the network' ? { endpoint: `127.0.0.1:${port}` } : {};
      const started = await startHost(app([TenantStage], gateway, port), {
        http: { port: 0, host: '127.0.0.1' },
      });
      stop = started.stop;
      const url = await started.app!.getUrl();
      const { address } = started.app!.get(GrpcServer, { strict: false });
      call = (headers) => (by === 'gRPC' ? overGrpc(address, headers) : overRest(url, headers));
    });
    afterEach(() => void jest.useRealTimers());

    it('gives the handler what it found', async () => {
      const answer = await call({ ...KNOWN, 'x-tenant': 'acme' });
      expect(answer).toEqual({ code: 'OK', text: 'orders/1001 of acme' });
    });

    it('denies a call with its own status', async () => {
      expect(await call(KNOWN)).toEqual({ code: 'INVALID_ARGUMENT', text: 'x-tenant is missing' });
    });

    it('comes after authz, so that an unknown caller learns nothing of it', async () => {
      expect((await call({})).code).toBe('UNAUTHENTICATED');
    });

    it('counts what it admitted, for each tenant apart', async () => {
      const acme = { ...KNOWN, 'x-tenant': 'acme' };
      const codes: string[] = [];
      for (let i = 0; i < 4; i++) codes.push((await call(acme)).code);
      expect(codes).toEqual(['OK', 'OK', 'OK', 'RESOURCE_EXHAUSTED']);
      expect((await call({ ...KNOWN, 'x-tenant': 'other' })).code).toBe('OK');
      jest.setSystemTime(60_000_000 + 60_000);
      expect((await call(acme)).code).toBe('OK');
    });
  },
);

describe('an app whose stages are in a wrong order', () => {
  @Injectable()
  @CallStage()
  class EarlyStage implements CallStage {
    readonly name = 'early';
    readonly before = ['log'];
    readonly after = ['authz'];
    bind(): BoundCallStage {
      return {};
    }
  }

  @Injectable()
  @CallStage()
  class PeekingStage implements CallStage {
    readonly name = 'peek';
    readonly before = ['authz'];
    bind(): BoundCallStage {
      return { onMessage: () => {} };
    }
  }

  it.each<[string, readonly Type[], RegExp]>([
    ['in a circle', [EarlyStage], /cannot be put in order: .*"early" before "log"/],
    ['before authz and reading messages', [PeekingStage], /"peek" reads messages .* before authz/],
    [
      'given twice',
      [TenantStage, class extends TenantStage {}],
      /two call stages are named "tenant"/,
    ],
  ])('does not start with one %s', async (_, stages, message) => {
    await expect(
      startHost(app(stages, {}, 0), { http: { port: 0, host: '127.0.0.1' } }),
    ).rejects.toThrow(message);
  });
});

it('the guide shows the stage that is tested here', () => {
  const page = readFileSync(
    new URL('../../../docs/guides/call-stages.md', import.meta.url),
    'utf8',
  );
  const code = readFileSync(new URL('./tenant-stage.fixture.ts', import.meta.url), 'utf8');
  expect(page).toContain(code);
});
