import { describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { ModuleRef, NestApplication, NestFactory } from '@nestjs/core';
import { type MicroserviceOptions, Transport } from '@nestjs/microservices';
import { AuthzModule } from '../authz.module.js';
import { guardHybridApp } from './connect-microservice.js';

const QUIET = { logger: false, abortOnError: false } as const;
const current = (): unknown => Reflect.get(NestApplication.prototype, 'connectMicroservice');
const own = current();

@Module({ imports: [AuthzModule.forRoot({ subject: () => null })] })
class App {}

@Module({})
class Unguarded {}

const TCP: MicroserviceOptions = { transport: Transport.TCP, options: { port: 0 } };

describe("Nest's NestApplication", () => {
  it('has a method connectMicroservice on its prototype', () => {
    expect(Object.hasOwn(NestApplication.prototype, 'connectMicroservice')).toBe(true);
    expect(own).toHaveLength(1);
  });

  it('keeps its container where ModuleRef keeps it, in the field container', async () => {
    const app = await NestFactory.create(Unguarded, QUIET);
    const { container } = app as unknown as { readonly container: unknown };
    expect(container).toEqual(expect.objectContaining({ getModules: expect.any(Function) }));
    const ofModuleRef = app.get<{ readonly container: unknown }>(ModuleRef);
    expect(ofModuleRef.container).toBe(container);
    await app.close();
  });

  it('is as before once the last app with AuthzModule is closed', async () => {
    const [first, second] = [
      await NestFactory.create(App, QUIET),
      await NestFactory.create(App, QUIET),
    ];
    expect(current()).not.toBe(own);
    await first.init();
    await first.close();
    expect(current()).not.toBe(own);
    expect(() => second.connectMicroservice(TCP)).toThrow('inheritAppConfig: true');
    await second.init();
    await second.close();
    expect(current()).toBe(own);
  });

  it('counts an app once, however often its hooks run', async () => {
    const app = await NestFactory.create(Unguarded, QUIET);
    const releaseFirst = guardHybridApp(app.get(ModuleRef));
    const releaseSecond = guardHybridApp(app.get(ModuleRef));
    releaseFirst();
    releaseFirst();
    expect(current()).not.toBe(own);
    releaseSecond();
    expect(current()).toBe(own);
    await app.close();
  });

  it('keeps what another package has put over the guard', async () => {
    const app = await NestFactory.create(Unguarded, QUIET);
    const release = guardHybridApp(app.get(ModuleRef));
    const guarded = current() as (this: unknown, ...args: unknown[]) => unknown;
    const theirs = function (this: NestApplication, ...args: unknown[]): unknown {
      return guarded.apply(this, args);
    };
    Object.assign(NestApplication.prototype, { connectMicroservice: theirs });
    release();
    expect(current()).toBe(theirs);
    expect(() => app.connectMicroservice(TCP)).toThrow('inheritAppConfig');
    Object.assign(NestApplication.prototype, { connectMicroservice: own });
    await app.close();
  });

  it('lets an app without AuthzModule connect what it likes meanwhile', async () => {
    const guarded = await NestFactory.create(App, QUIET);
    const free = await NestFactory.create(Unguarded, QUIET);
    expect(() => free.connectMicroservice(TCP)).not.toThrow();
    await Promise.all([guarded.close(), free.close()]);
    expect(current()).toBe(own);
  });
});
