import { describe, expect, it } from '@jest/globals';
import { Injectable, Logger as NestLogger, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { runWithLogger } from '../context/logger-context.js';
import type { Logger } from '../logger/logger.js';
import { collectingSink } from '../testing/collecting-sink.js';
import { InjectLogger } from './inject-logger.decorator.js';
import { LogxLoggerService } from './logx-logger.service.js';
import { LogxModule } from './logx.module.js';
import { LOGX_LOGGER } from './tokens.js';

@Injectable()
class Orders {
  private readonly nest = new NestLogger('Shop.Orders');

  constructor(
    @InjectLogger('Shop.Orders') private readonly own: Logger,
    @InjectLogger('Shop.Mail.Queue') private readonly mail: Logger,
  ) {}

  say(): void {
    this.own.debug('own');
    this.nest.debug('nest');
    this.mail.information('mail');
    this.mail.error('mail failed');
    new NestLogger('Elsewhere').debug('elsewhere');
  }
}

describe('levels by name in a Nest app', () => {
  it("apply to injected loggers and Nest's own, also within a request, and follow changes", async () => {
    const logged = collectingSink();
    @Module({
      imports: [
        LogxModule.forRoot({
          level: 'warning',
          levels: { Shop: 'debug', 'Shop.Mail': 'error' },
          sinks: [logged],
        }),
      ],
      providers: [Orders],
    })
    class App {}
    const app = await NestFactory.createApplicationContext(App, { bufferLogs: true });
    app.useLogger(app.get(LogxLoggerService));
    const orders = app.get(Orders);
    const root = app.get<Logger>(LOGX_LOGGER);
    orders.say();
    expect(logged.messages).toEqual(['own', 'nest', 'mail failed']);
    logged.clear();
    runWithLogger(root.forContext('RequestId', 'r-1'), () => orders.say());
    expect(logged.messages).toEqual(['own', 'nest', 'mail failed']);
    expect(logged.with({ RequestId: 'r-1' }).count).toBe(3);
    logged.clear();
    root.levels.set('fatal', 'Shop');
    root.levels.set('information', 'Shop.Mail.Queue');
    orders.say();
    expect(logged.messages).toEqual(['mail', 'mail failed']);
    await app.close();
  });
});
