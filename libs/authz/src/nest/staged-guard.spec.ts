import { ProtoModule } from '@apix/proto';
import { Client, Metadata, credentials } from '@grpc/grpc-js';
import { afterEach, expect, it } from '@jest/globals';
import { type CanActivate, Controller, type ExecutionContext, Module } from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import { GrpcMethod, type GrpcOptions, Transport } from '@nestjs/microservices';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Authorizer } from '../decide/authorizer.js';
import { authzInterceptor } from '../grpc/authz-interceptor.js';
import type { Subject } from '../subject/subject.js';
import { AuthzModule } from './authz.module.js';
import { CurrentSubject } from './authz.decorators.js';
import { SHOP, subjectFromHeader } from './shop.fixture.js';

const subjects: (Subject | null)[] = [];
const asked: string[] = [];

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
  subjects.length = 0;
  asked.length = 0;
});

/** Runs before the guard of AuthzModule and notes what that one reads of the call. */
class Watch implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const call = context.getArgByIndex<object & { readonly metadata: Metadata }>(2);
    count(call, ['getPath', 'getPeer', 'getAuthContext', 'once']);
    count(call.metadata, ['get', 'getMap']);
    return true;
  }
}

function count(target: object, names: readonly string[]): void {
  for (const name of names) {
    const original: unknown = Reflect.get(target, name);
    if (typeof original !== 'function') throw new TypeError(`${name} is not a method`);
    Object.defineProperty(target, name, {
      configurable: true,
      value: (...args: unknown[]): unknown => {
        asked.push(name);
        return Reflect.apply(original, target, args);
      },
    });
  }
}

@Controller()
class OrdersController {
  @GrpcMethod('Orders', 'Cancel')
  cancel(_: unknown, __: unknown, @CurrentSubject() who: Subject | null) {
    subjects.push(who);
    return {};
  }
}

@Module({ providers: [{ provide: APP_GUARD, useClass: Watch }] })
class WatchModule {}

const NOTHING = Buffer.alloc(0);
const bytes = (): Buffer => NOTHING;
const empty = (): object => ({});

async function callOnce(isStaged: boolean): Promise<{ readonly subjectCalls: number }> {
  let subjectCalls = 0;
  @Module({
    imports: [
      WatchModule,
      ProtoModule.forRoot({ descriptors: SHOP }),
      AuthzModule.forRoot({
        subject: (context) => {
          subjectCalls++;
          return subjectFromHeader(context);
        },
      }),
    ],
    controllers: [OrdersController],
  })
  class App {}

  const folder = mkdtempSync(join(tmpdir(), 'authz-'));
  closers.push(() => rmSync(folder, { recursive: true, force: true }));
  const url = `unix:${join(folder, 'grpc')}`;
  const app = await NestFactory.create(App, { logger: false, abortOnError: false });
  closers.push(() => app.close());
  const path = '/test.Orders/Cancel';
  const cancel = {
    path,
    originalName: 'Cancel',
    requestStream: false,
    responseStream: false,
    requestSerialize: bytes,
    requestDeserialize: empty,
    responseSerialize: bytes,
    responseDeserialize: empty,
  };
  const options: GrpcOptions = {
    transport: Transport.GRPC,
    options: {
      url,
      package: 'test',
      packageDefinition: { 'test.Orders': { Cancel: cancel } },
      ...(isStaged && {
        channelOptions: { interceptors: [authzInterceptor(app.get(Authorizer))] },
      }),
    },
  };
  app.connectMicroservice(options, { inheritAppConfig: true });
  await app.startAllMicroservices();

  const client = new Client(url, credentials.createInsecure());
  closers.push(() => client.close());
  const metadata = new Metadata();
  metadata.set('x-roles', 'admin');
  await new Promise<void>((resolve, reject) => {
    client.makeUnaryRequest(path, bytes, empty, {}, metadata, (error) =>
      error === null ? resolve() : reject(error),
    );
  });
  return { subjectCalls };
}

const ADMIN = { id: 'admin', roles: ['admin'], permissions: [] };

it('the guard reads nothing of a call that the stage admitted', async () => {
  expect(await callOnce(true)).toEqual({ subjectCalls: 1 });
  expect(asked).toEqual([]);
  expect(subjects).toEqual([ADMIN]);
});

it('the guard makes a call context of its own where no stage ran', async () => {
  expect(await callOnce(false)).toEqual({ subjectCalls: 1 });
  expect(asked).toContain('getPath');
  expect(asked).toContain('get');
  expect(subjects).toEqual([ADMIN]);
});
