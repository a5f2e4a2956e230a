import 'reflect-metadata';
import { writeSync } from 'node:fs';
import { CloseLast } from '@apix/contracts';
import { untilAborted } from '@apix/contracts/internal';
import {
  Injectable,
  Module,
  type OnApplicationShutdown,
  type OnModuleDestroy,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { OnStarted, OnStopped } from './hook.decorators.js';
import { HostedService } from './hosted-service.decorator.js';
import { HostxModule } from './hostx.module.js';

/** No one reads a pipe to its end once the process has ended. */
const say = (text: string): void => void writeSync(1, `${text}\n`);

@HostedService({ name: 'worker' })
class Worker implements OnModuleDestroy, OnApplicationShutdown {
  async start(signal: AbortSignal): Promise<void> {
    await untilAborted(signal);
  }
  stop(): void {
    say('worker stopped');
  }
  @OnStarted() started(): void {
    say('ready');
  }
  @OnStopped() stopped(): void {
    say('stopped hook');
  }
  onModuleDestroy(): void {
    say('destroyed');
  }
  onApplicationShutdown(): void {
    say('shut down');
  }
}

/** Stands for the logger, which the others log to until they have stopped. */
@Injectable()
@CloseLast()
class Log implements CloseLast {
  async closeLast(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    say('log closed');
    if (process.argv[2] === 'fail') throw new Error('no ink');
  }
}

@Injectable()
@CloseLast()
class Lock implements CloseLast {
  closeLast(): void {
    say('lock freed');
  }
}

@Module({
  imports: [HostxModule.forRoot({ logger: null, drain: { delay: 0 } })],
  providers: [Log, Lock, Worker],
})
class App {}

const app = await NestFactory.create(App, { logger: ['error'], abortOnError: false });
app.enableShutdownHooks();
await app.listen(0, '127.0.0.1');
