import { afterEach, describe, expect, it } from '@jest/globals';
import { type INestApplicationContext, Injectable, Module, type Type } from '@nestjs/common';
import { LazyModuleLoader, NestFactory } from '@nestjs/core';
import type { Logger } from '../logger/logger.js';
import { type CollectingSink, collectingSink } from '../testing/collecting-sink.js';
import { InjectLogger } from './inject-logger.decorator.js';
import { LogxModule } from './logx.module.js';

/** Declared when it is called, as in a file that is imported lazily. */
function feature(name: string): { module: Type; speaker: Type<{ speak(): void }> } {
  @Injectable()
  class Speaker {
    constructor(@InjectLogger(name) private readonly log: Logger) {}

    speak(): void {
      this.log.information('hello');
    }
  }
  @Module({ providers: [Speaker] })
  class Feature {}
  return { module: Feature, speaker: Speaker };
}

const apps: INestApplicationContext[] = [];
afterEach(() => Promise.all(apps.splice(0).map((app) => app.close())));

async function start(logged: CollectingSink): Promise<INestApplicationContext> {
  @Module({ imports: [LogxModule.forRoot({ sinks: [logged] })] })
  class App {}
  const app = await NestFactory.createApplicationContext(App, { logger: false });
  apps.push(app);
  return app;
}

describe('a module that is loaded lazily', () => {
  it('gets loggers by names that nobody asked for before', async () => {
    const logged = collectingSink();
    const app = await start(logged);
    const { module, speaker } = feature('lazy-first');
    const loaded = await app.get(LazyModuleLoader).load(() => module);
    loaded.get(speaker).speak();
    expect(logged.only()).toMatchObject({ logger: 'lazy-first', message: 'hello' });
  });

  it('gets the logger of its own app, of two that run', async () => {
    const sinks = [collectingSink(), collectingSink()];
    const [first, second] = await Promise.all(sinks.map(start));
    const { module, speaker } = feature('lazy-second');
    const inSecond = await second!.get(LazyModuleLoader).load(() => module);
    inSecond.get(speaker).speak();
    expect(sinks.map(({ count }) => count)).toEqual([0, 1]);
    const inFirst = await first!.get(LazyModuleLoader).load(() => module);
    inFirst.get(speaker).speak();
    expect(sinks.map(({ count }) => count)).toEqual([1, 1]);
  });
});
