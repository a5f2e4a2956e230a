import { describe, expect, it } from '@jest/globals';
import {
  Inject,
  type INestApplication,
  type INestApplicationContext,
  Module,
} from '@nestjs/common';
import { ModuleRef, NestApplication, type NestContainer, NestFactory } from '@nestjs/core';
import { type MicroserviceOptions, Transport } from '@nestjs/microservices';
import { AuthzModule, guardHybridApp } from '../authz.module.js';

const QUIET = { logger: false, abortOnError: false } as const;
const current = (): unknown => Reflect.get(NestApplication.prototype, 'connectMicroservice');
const own = current();
const disposing = (): unknown => Reflect.get(NestApplication.prototype, 'dispose');
const ownDispose = disposing();

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

  it('has a method dispose on its prototype, without parameters', () => {
    expect(Object.hasOwn(NestApplication.prototype, 'dispose')).toBe(true);
    expect(ownDispose).toHaveLength(0);
  });

  it('has an HTTP adapter in its container when its modules are made, and others have none', async () => {
    const seen: boolean[] = [];
    @Module({})
    class Looks {
      constructor(@Inject(ModuleRef) moduleRef: ModuleRef) {
        const { container } = moduleRef as unknown as { container: NestContainer };
        seen.push(Boolean(container.getHttpAdapterRef()));
      }
    }
    const contexts = [
      await NestFactory.create(Looks, QUIET),
      await NestFactory.createMicroservice(Looks, { ...QUIET, ...TCP }),
      await NestFactory.createApplicationContext(Looks, QUIET),
    ];
    expect(seen).toEqual([true, false, false]);
    for (const context of contexts) await context.close();
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
    expect([current(), disposing()]).toEqual([own, ownDispose]);
  });

  it.each<[string, (app: INestApplication) => Promise<unknown>]>([
    ['one of its microservices closes', (app) => app.getMicroservices()[0]!.close()],
    ['a context selected from it closes', (app) => app.select(App).close()],
  ])('is guarded still after %s', async (_, runHooks) => {
    const app = await NestFactory.create(App, QUIET);
    app.connectMicroservice(TCP, { inheritAppConfig: true });
    await app.init();
    await runHooks(app);
    expect(() => app.connectMicroservice(TCP)).toThrow('inheritAppConfig: true');
    await app.close();
    expect(current()).toBe(own);
  });

  it.each<[string, () => Promise<INestApplicationContext>]>([
    ['microservice', () => NestFactory.createMicroservice(App, { ...QUIET, ...TCP })],
    ['context', () => NestFactory.createApplicationContext(App, QUIET)],
  ])('is as before once a %s alone with AuthzModule is closed', async (_, create) => {
    const context = await create();
    expect(current()).not.toBe(own);
    await context.init();
    await context.close();
    expect([current(), disposing()]).toEqual([own, ownDispose]);
  });

  it('is counted once, however many modules guard it', async () => {
    const app = await NestFactory.create(Unguarded, QUIET);
    guardHybridApp(app.get(ModuleRef));
    guardHybridApp(app.get(ModuleRef));
    expect(current()).not.toBe(own);
    await app.close();
    expect(current()).toBe(own);
  });

  it('keeps what another package has put over the guard', async () => {
    const app = await NestFactory.create(Unguarded, QUIET);
    guardHybridApp(app.get(ModuleRef));
    const guarded = current() as (this: unknown, ...args: unknown[]) => unknown;
    const theirs = function (this: NestApplication, ...args: unknown[]): unknown {
      return guarded.apply(this, args);
    };
    Object.assign(NestApplication.prototype, { connectMicroservice: theirs });
    await app.close();
    expect(current()).toBe(theirs);
    expect(() => app.connectMicroservice(TCP)).toThrow('inheritAppConfig');
    Object.assign(NestApplication.prototype, { connectMicroservice: own, dispose: ownDispose });
  });

  it('lets an app without AuthzModule connect what it likes meanwhile', async () => {
    const guarded = await NestFactory.create(App, QUIET);
    const free = await NestFactory.create(Unguarded, QUIET);
    expect(() => free.connectMicroservice(TCP)).not.toThrow();
    await Promise.all([guarded.close(), free.close()]);
    expect(current()).toBe(own);
  });
});
