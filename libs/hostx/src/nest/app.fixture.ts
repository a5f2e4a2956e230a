import {
  CLOSE_LAST,
  type CloseLast,
  RELOADABLE,
  type Reloadable,
  WORK_SCOPE,
  type WorkScope,
} from '@apix/contracts';
import { untilAborted } from '@apix/contracts/internal';
import {
  Controller,
  Get,
  type INestApplication,
  Injectable,
  Module,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import { Cron, ScheduleModule } from '@nestjs/schedule';
import type { Hosted } from '../service.js';
import { APP_ATTACHMENT, type AppAttachment } from './host-extension.js';
import { OnReload, OnStarted, OnStopped, OnStopping, StartupTask } from './hook.decorators.js';
import { HostRef } from './host-ref.js';
import { HostedService } from './hosted-service.decorator.js';
import { HostxModule } from './hostx.module.js';

/** What happened, in order; tests empty it first. */
export const log: string[] = [];

@Controller()
class Hello {
  @Get() hello() {
    return 'hello';
  }

  @MessagePattern('hello') message() {
    return 'hello';
  }
}

@HostedService({ name: 'outbox' })
export class Outbox implements Hosted, OnModuleInit, OnModuleDestroy {
  onModuleInit() {
    log.push('init');
  }

  onModuleDestroy() {
    log.push('destroy');
  }

  async start(signal: AbortSignal): Promise<void> {
    log.push('start');
    await untilAborted(signal);
  }

  stop() {
    log.push('stop');
  }

  @StartupTask('before', { phase: 'beforeInit' }) before() {
    log.push('before');
  }

  @StartupTask('after') after() {
    log.push('after');
  }

  @OnStarted() started() {
    log.push('started');
  }

  @OnStopping() stopping() {
    log.push('stopping');
  }

  @OnStopped() stopped() {
    log.push('stopped');
  }

  @OnReload() reload() {
    log.push('reload');
  }

  @Cron('* * * * * *') tick() {}
}

@Injectable()
export class Seams implements WorkScope, Reloadable, CloseLast, AppAttachment {
  readonly [WORK_SCOPE] = true as const;
  readonly [RELOADABLE] = true as const;
  readonly [CLOSE_LAST] = true as const;
  readonly [APP_ATTACHMENT] = true as const;
  readonly name = 'levels';
  readonly scopes: string[] = [];

  constructor(readonly host: HostRef) {}

  run<T>(kind: string, name: string, fn: () => T): T {
    this.scopes.push(`${kind} ${name}`);
    return fn();
  }

  attach(app: INestApplication) {
    log.push(`attach to ${app.getMicroservices().length}`);
  }

  reload() {
    log.push('levels');
  }

  closeLast() {
    log.push('closed last');
  }
}

@Module({
  imports: [
    HostxModule.forRoot({ shutdownTimeout: '7s', environment: 'Test' }),
    ScheduleModule.forRoot(),
  ],
  controllers: [Hello],
  providers: [Outbox, Seams],
})
export class App {}
