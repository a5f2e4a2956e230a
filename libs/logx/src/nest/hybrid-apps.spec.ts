import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, type INestApplication, Module, type Type } from '@nestjs/common';
import { NestApplication, NestFactory } from '@nestjs/core';
import { type MicroserviceOptions, MessagePattern, Server, Transport } from '@nestjs/microservices';
import { type CollectingSink, collectingSink } from '../testing/collecting-sink.js';
import { LogxModule } from './logx.module.js';

@Controller()
class Messages {
  @MessagePattern('sum') sum(numbers: number[]): number {
    return numbers.length;
  }
}

@Module({})
class Part {}

class Bus extends Server {
  listen(callback: () => void): void {
    callback();
  }
  close(): void {}
  on(): void {}
  unwrap(): never {
    throw new Error('nothing is behind it');
  }
}

const TCP: MicroserviceOptions = {
  transport: Transport.TCP,
  options: { host: '127.0.0.1', port: 0 },
};

const apps: INestApplication[] = [];
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});

async function created(module: Type): Promise<INestApplication> {
  const app = await NestFactory.create(module, { logger: false, abortOnError: false });
  apps.push(app);
  return app;
}

function appInto(sink: CollectingSink): Type {
  @Module({ imports: [LogxModule.forRoot({ sinks: [sink] }), Part], controllers: [Messages] })
  class App {}
  return App;
}

const warnings = (sink: CollectingSink) => sink.at('warning').messages;

describe('a microservice of a hybrid app', () => {
  it.each<[string, MicroserviceOptions]>([
    ['TCP', TCP],
    ['TCP', {}],
    ['Bus', { strategy: new Bus() }],
  ])('on %s without inheritAppConfig is a warning, once', async (transport, options) => {
    const sink = collectingSink();
    const app = await created(appInto(sink));
    app.connectMicroservice(options);
    await app.init();
    expect(warnings(sink)).toEqual([
      `Microservice ${transport} is connected without inheritAppConfig: its messages have no logger of their own and ` +
        'no global guards, pipes, interceptors and filters; pass { inheritAppConfig: true } to ' +
        'connectMicroservice after the options',
    ]);
  });

  it('that inherits, or of an app without LogxModule, is no warning', async () => {
    const sink = collectingSink();
    const app = await created(appInto(sink));
    app.connectMicroservice(TCP, { inheritAppConfig: true });
    @Module({ controllers: [Messages] })
    class Other {}
    (await created(Other)).connectMicroservice(TCP);
    expect(warnings(sink)).toEqual([]);
  });

  it.each<[string, (app: INestApplication) => Promise<unknown>]>([
    ['another one was closed alone', (app) => app.getMicroservices()[0]!.close()],
    ['a context selected from the app was closed', (app) => app.select(Part).close()],
  ])('is a warning after %s too', async (_, close) => {
    const sink = collectingSink();
    const app = await created(appInto(sink));
    app.connectMicroservice(TCP, { inheritAppConfig: true });
    await app.init();
    await close(app);
    app.connectMicroservice(TCP);
    expect(warnings(sink)).toHaveLength(1);
  });

  it('is connected by the method of Nest again when the last app has closed', async () => {
    const now = (): unknown => Reflect.get(NestApplication.prototype, 'connectMicroservice');
    const before = now();
    const [one, two] = [
      await created(appInto(collectingSink())),
      await created(appInto(collectingSink())),
    ];
    expect(now()).not.toBe(before);
    await one.close();
    expect(now()).not.toBe(before);
    await two.close();
    expect(now()).toBe(before);
  });
});
