import { EventEmitter, once } from 'node:events';
import { freePort } from '../../../../tools/testing/free-port.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  Controller,
  type INestApplication,
  Injectable,
  Module,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  ClientProxyFactory,
  MessagePattern,
  type MicroserviceOptions,
  type TcpClientOptions,
  Transport,
} from '@nestjs/microservices';
import { Cron, ScheduleModule } from '@nestjs/schedule';
import { firstValueFrom } from 'rxjs';
import { untilAborted } from '@apix/contracts/internal';
import type { Hosted } from '../service.js';
import { startHost } from '../testing/start-host.js';
import { OnStopped } from './hook.decorators.js';
import { HostedService } from './hosted-service.decorator.js';
import { HostxModule } from './hostx.module.js';

/** What happened, in order. */
const log: string[] = [];
const events = new EventEmitter();

function happened(what: string): void {
  log.push(what);
  events.emit(what);
}

@HostedService({ name: 'outbox' })
class Outbox implements Hosted {
  start(signal: AbortSignal): Promise<void> {
    return untilAborted(signal);
  }
  stop(): void {
    happened('outbox stopped');
  }
  @OnStopped() stopped(): void {
    happened('all stopped');
  }
}

/** As `@nestjs/bullmq` has it: takes jobs from the app's init on, and lets one end at its close. */
@Injectable()
class Processor implements OnModuleInit, OnApplicationShutdown {
  #working: Promise<void> = Promise.resolve();
  #closed = false;

  onModuleInit(): void {
    this.#working = this.#work();
  }

  async onApplicationShutdown(): Promise<void> {
    this.#closed = true;
    await this.#working;
    happened('processor closed');
  }

  async #work(): Promise<void> {
    while (!this.#closed) {
      happened('job begun');
      await sleep(20);
      happened('job done');
    }
  }
}

@Injectable()
class Jobs {
  @Cron('* * * * * *') tick(): void {
    happened('tick');
  }
}

@Controller()
class Messages {
  @MessagePattern('slow') async slow(): Promise<string> {
    happened('message');
    await sleep(50);
    return 'answer';
  }
}

@Module({
  imports: [HostxModule.forRoot({ logger: null, drain: { delay: 0 } }), ScheduleModule.forRoot()],
  controllers: [Messages],
  providers: [Outbox, Processor, Jobs],
})
class App {}

/** An app that was there before the host, and how it is started and stopped. */
type Start = (tcp: MicroserviceOptions) => Promise<() => Promise<unknown>>;

const underRunHost: Start = async (tcp) => (await startHost(App, { microservices: [tcp] })).stop;

const withPlainMain: Start = async (tcp) => {
  const app: INestApplication = await NestFactory.create(App, { logger: false });
  app.connectMicroservice(tcp, { inheritAppConfig: true });
  await app.startAllMicroservices();
  await app.listen(0, '127.0.0.1');
  return () => app.close();
};

describe.each([
  ['runHost', underRunHost, ['outbox stopped', 'processor closed', 'all stopped']],
  ['a plain main', withPlainMain, ['outbox stopped', 'all stopped', 'processor closed']],
])('an existing app under %s', (_, start, order) => {
  beforeEach(() => void log.splice(0));

  it('keeps its cron jobs, queue processors and microservices, which stop within the order', async () => {
    const tcp: MicroserviceOptions & TcpClientOptions = {
      transport: Transport.TCP,
      options: { host: '127.0.0.1', port: await freePort() },
    };
    const stop = await start(tcp);
    const client = ClientProxyFactory.create(tcp);
    expect(await firstValueFrom(client.send('slow', {}))).toBe('answer');
    client.close();
    await once(events, 'tick');
    await once(events, 'job begun');

    expect(await stop()).toBeUndefined();
    expect(log.filter((what) => order.includes(what))).toEqual(order);
    expect(log.slice(0, log.indexOf('processor closed')).at(-1)).toBe('job done');
    const before = log.length;
    await sleep(1_100);
    expect(log.length).toBe(before);
  });
});
