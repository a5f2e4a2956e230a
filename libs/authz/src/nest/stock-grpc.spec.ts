import { Code } from '@apix/contracts';
import { ProtoModule, ProtoRegistry } from '@apix/proto';
import {
  Client,
  Metadata,
  type MethodDefinition,
  type ServerDuplexStream,
  type ServerReadableStream,
  credentials,
  type sendUnaryData,
} from '@grpc/grpc-js';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  GrpcMethod,
  type GrpcOptions,
  GrpcStreamCall,
  GrpcStreamMethod,
  Transport,
} from '@nestjs/microservices';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Observable, of, reduce, tap } from 'rxjs';
import type { AuthorizerOptions } from '../decide/authorizer-options.js';
import { Authorizer } from '../decide/authorizer.js';
import type { Decision } from '../decide/decision.js';
import { authzInterceptor } from '../grpc/authz-interceptor.js';
import type { Subject, SubjectFunc } from '../subject/subject.js';
import { AuthzModule } from './authz.module.js';
import { CurrentSubject } from './authz.decorators.js';
import { SHOP, subjectFromHeader } from './shop.fixture.js';

const registry = ProtoRegistry.load(SHOP);
const handled: string[] = [];
const subjects: (Subject | null)[] = [];
let decoded = 0;

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
  handled.length = 0;
  subjects.length = 0;
  decoded = 0;
});

@Controller()
class OrdersController {
  @GrpcMethod('Orders', 'Cancel')
  cancel(_: unknown, __: unknown, @CurrentSubject() who: Subject | null) {
    handled.push('Cancel');
    subjects.push(who);
    return {};
  }

  @GrpcMethod('Orders', 'Watch')
  watch() {
    handled.push('Watch');
    return of({}, {});
  }

  @GrpcStreamMethod('Orders', 'Import')
  import(orders: Observable<unknown>) {
    handled.push('Import');
    return orders.pipe(reduce(() => ({}), {}));
  }

  @GrpcStreamMethod('Orders', 'Chat')
  chat(lines: Observable<unknown>) {
    handled.push('Chat');
    return lines.pipe(tap(() => {}));
  }

  @GrpcStreamCall('Orders', 'RawImport')
  rawImport(call: ServerReadableStream<unknown, unknown>, done: sendUnaryData<unknown>) {
    handled.push('RawImport');
    call.on('data', () => {});
    call.on('end', () => done(null, {}));
  }

  @GrpcStreamCall('Orders', 'RawChat')
  rawChat(call: ServerDuplexStream<unknown, unknown>) {
    handled.push('RawChat');
    call.on('data', (line) => call.write(line));
    call.on('end', () => call.end());
  }

  @GrpcMethod('Orders', 'Bare')
  bare() {
    handled.push('Bare');
    return {};
  }
}

@Controller()
class StaleController {
  @GrpcMethod('Orders', 'Stale')
  stale() {
    handled.push('Stale');
    return {};
  }
}

const NOTHING = Buffer.alloc(0);
const same = (bytes: Buffer): Buffer => bytes;

/** What an app gives Nest; its decoder counts. */
function packageDefinition(): NonNullable<GrpcOptions['options']['packageDefinition']> {
  const methods = [...registry.methods.values()].map(({ name, methodKind }) => {
    const definition: MethodDefinition<object, object> = {
      path: `/test.Orders/${name}`,
      originalName: name,
      requestStream: methodKind === 'client_streaming' || methodKind === 'bidi_streaming',
      responseStream: methodKind === 'server_streaming' || methodKind === 'bidi_streaming',
      requestSerialize: () => NOTHING,
      requestDeserialize: () => {
        decoded++;
        return {};
      },
      responseSerialize: () => NOTHING,
      responseDeserialize: () => ({}),
    };
    return [name, definition] as const;
  });
  const [[, cancel]] = methods as [(typeof methods)[number]];
  const stale = { ...cancel, path: '/test.Orders/Stale', originalName: 'Stale' };
  return { 'test.Orders': { ...Object.fromEntries(methods), Stale: stale } };
}

type Authz = Omit<AuthorizerOptions, 'onDecision'>;

interface Served {
  readonly url: string;
  readonly decided: Decision[];
}

/** Serves the controller on Nest's own gRPC transport. Nest hides a port 0: hence the socket. */
function stockOptions(interceptor?: ReturnType<typeof authzInterceptor>): GrpcOptions {
  const folder = mkdtempSync(join(tmpdir(), 'authz-'));
  closers.unshift(() => rmSync(folder, { recursive: true, force: true }));
  return {
    transport: Transport.GRPC,
    options: {
      url: `unix:${join(folder, 'grpc')}`,
      package: 'test',
      packageDefinition: packageDefinition(),
      ...(interceptor && { channelOptions: { interceptors: [interceptor] } }),
    },
  };
}

function appOf(authz: AuthorizerOptions): Type {
  @Module({
    imports: [ProtoModule.forRoot({ descriptors: SHOP }), AuthzModule.forRoot(authz)],
    controllers: [OrdersController],
  })
  class App {}
  return App;
}

const QUIET = { logger: false, abortOnError: false } as const;

const WAYS = {
  'with the guard alone': async (authz: Authz): Promise<Served> => {
    const decided: Decision[] = [];
    const onDecision = (decision: Decision): void => void decided.push(decision);
    const options = stockOptions();
    const app = await NestFactory.createMicroservice(appOf({ ...authz, onDecision }), {
      ...QUIET,
      ...options,
    });
    closers.push(() => app.close());
    await app.listen();
    return { url: options.options.url!, decided };
  },
  'with the interceptor alone': async (authz: Authz): Promise<Served> => {
    const decided: Decision[] = [];
    const onDecision = (decision: Decision): void => void decided.push(decision);
    const authorizer = new Authorizer(registry, { ...authz, onDecision });
    const options = stockOptions(authzInterceptor(authorizer));
    @Module({ controllers: [OrdersController, StaleController] })
    class App {}
    const app = await NestFactory.createMicroservice(App, { ...QUIET, ...options });
    closers.push(() => app.close());
    await app.listen();
    return { url: options.options.url!, decided };
  },
  'with both, in a hybrid app': async (authz: Authz): Promise<Served> => {
    const decided: Decision[] = [];
    const onDecision = (decision: Decision): void => void decided.push(decision);
    const app = await NestFactory.create(appOf({ ...authz, onDecision }), QUIET);
    closers.push(() => app.close());
    const options = stockOptions(authzInterceptor(app.get(Authorizer)));
    app.connectMicroservice(options, { inheritAppConfig: true });
    await app.startAllMicroservices();
    return { url: options.options.url!, decided };
  },
} as const;

/** Every kind of call can be made as a bidirectional one. */
async function call({ url }: Served, method: string, roles: string | null, messages = 1) {
  const client = new Client(url, credentials.createInsecure());
  const metadata = new Metadata();
  if (roles !== null) metadata.set('x-roles', roles);
  const stream = client.makeBidiStreamRequest(`/test.Orders/${method}`, same, same, metadata, {
    deadline: Date.now() + 5_000,
  });
  stream.on('error', () => {});
  stream.resume();
  for (let sent = 0; sent < messages; sent++) stream.write(NOTHING);
  stream.end();
  const status = await new Promise<{ code: Code; details: string }>((resolve) => {
    stream.on('status', resolve);
  });
  client.close();
  // What nobody caught would surface now, and fail the test.
  await nextTurn();
  return { status: Code[status.code], details: status.details };
}

const METHODS = ['Cancel', 'Watch', 'Import', 'Chat', 'RawImport', 'RawChat'];

const CALLERS = [
  [null, 'UNAUTHENTICATED', 'credentials are missing'],
  ['broken', 'UNAUTHENTICATED', 'the credentials were not accepted'],
  ['staff', 'PERMISSION_DENIED', 'permission denied'],
  ['admin', 'OK', 'OK'],
] as const;

const later: SubjectFunc = async (context) => {
  await nextTurn();
  return subjectFromHeader(context);
};

describe.each(Object.entries(WAYS))("Nest's own gRPC transport %s", (_way, serve) => {
  describe.each([
    ['at once', subjectFromHeader],
    ['later', later],
  ])('and a subject function that answers %s', (_when, subject) => {
    it.each(METHODS)(
      'decides %s as the spec says, once, and handles what is allowed',
      async (method) => {
        const served = await serve({ subject });
        for (const [roles, status, details] of CALLERS) {
          expect([roles, await call(served, method, roles)]).toEqual([roles, { status, details }]);
        }
        expect(handled).toEqual([method]);
        expect(served.decided.map(({ allowed, door }) => [allowed, door])).toEqual(
          CALLERS.map(([, status]) => [status === 'OK', 'grpc']),
        );
      },
    );
  });

  it('lets shadowed calls in', async () => {
    const served = await serve({ subject: subjectFromHeader, mode: 'shadow' });
    for (const method of METHODS) {
      expect(await call(served, method, null)).toMatchObject({ status: 'OK' });
    }
    expect(handled).toEqual(METHODS);
    expect(served.decided).toHaveLength(METHODS.length);
  });

  it("refuses an unannotated method under `unannotated: 'deny'`", async () => {
    const served = await serve({ subject: subjectFromHeader, unannotated: 'deny' });
    expect(await call(served, 'Bare', 'admin')).toMatchObject({ status: 'PERMISSION_DENIED' });
    expect(handled).toEqual([]);
  });

  it('ends a call whose subject function never answers', async () => {
    const subject = (): Promise<never> => new Promise(() => {});
    const served = await serve({ subject, subjectTimeout: '20ms' });
    for (const method of METHODS) {
      expect(await call(served, method, 'admin')).toMatchObject({ status: 'DEADLINE_EXCEEDED' });
    }
    expect(handled).toEqual([]);
  });
});

describe.each(['with the interceptor alone', 'with both, in a hybrid app'] as const)(
  "Nest's own gRPC transport %s",
  (way) => {
    it.each(METHODS)('decodes no message of %s before it denies', async (method) => {
      const served = await WAYS[way]({ subject: later });
      expect(await call(served, method, 'staff', 50)).toMatchObject({
        status: 'PERMISSION_DENIED',
      });
      expect(decoded).toBe(0);
    });
  },
);

it.each(['with the guard alone', 'with both, in a hybrid app'] as const)(
  '%s, @CurrentSubject() is who calls',
  async (way) => {
    const served = await WAYS[way]({ subject: subjectFromHeader });
    await call(served, 'Cancel', 'admin');
    expect(subjects).toEqual([{ id: 'admin', roles: ['admin'], permissions: [] }]);
  },
);

it('a method that is served and unknown to the descriptors is refused', async () => {
  const served = await WAYS['with the interceptor alone']({ subject: subjectFromHeader });
  expect(await call(served, 'Stale', 'admin')).toEqual({
    status: 'PERMISSION_DENIED',
    details: '"/test.Orders/Stale" is not a method of this service',
  });
  expect(handled).toEqual([]);
});
