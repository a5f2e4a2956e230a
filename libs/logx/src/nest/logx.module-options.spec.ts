import { describe, expect, it } from '@jest/globals';
import { type DynamicModule, Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { collectingSink } from '../testing/collecting-sink.js';
import { InjectLogger } from './inject-logger.decorator.js';
import { LogxModule } from './logx.module.js';
import type { LogxModuleOptions } from './logx-module-options.js';
import type { Logger } from '../logger/logger.js';
import { LOGX_LOGGER } from './tokens.js';

const logged = collectingSink();

class Factory {
  createLogxOptions(): LogxModuleOptions {
    return { sinks: [logged] };
  }
}

@Injectable()
class Speaker {
  constructor(@InjectLogger() readonly logger: Logger) {}
}

@Module({ providers: [Speaker] })
class Feature {}

async function start(
  logx: DynamicModule,
): Promise<{ close(): Promise<void>; speaker: Speaker; root: Logger }> {
  @Module({ imports: [logx, Feature] })
  class App {}
  const app = await NestFactory.createApplicationContext(App, {
    logger: false,
    abortOnError: false,
  });
  return {
    close: () => app.close(),
    speaker: app.get(Speaker, { strict: false }),
    root: app.get<Logger>(LOGX_LOGGER),
  };
}

describe('LogxModule', () => {
  it.each<[string, () => DynamicModule]>([
    ['forRoot with options', () => LogxModule.forRoot({ sinks: [logged] })],
    [
      'forRootAsync with useFactory',
      () => LogxModule.forRootAsync({ useFactory: () => ({ sinks: [logged] }) }),
    ],
    ['forRootAsync with useClass', () => LogxModule.forRootAsync({ useClass: Factory })],
  ])('is made by %s, and global', async (_, make) => {
    logged.clear();
    const app = await start(make());
    app.speaker.logger.information('hello');
    expect(logged.messages).toEqual(['hello']);
    await app.close();
  });

  it('needs no options', async () => {
    const app = await start(LogxModule.forRoot());
    expect(app.root.enabled(30)).toBe(true);
    expect(app.root.enabled(20)).toBe(false);
    await app.close();
  });

  it('is not global with isGlobal: false', async () => {
    await expect(start(LogxModule.forRoot({ sinks: [logged], isGlobal: false }))).rejects.toThrow(
      /Speaker/,
    );
  });
});
