import 'reflect-metadata';
import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { WorkScope } from '@apix/contracts';
import { HostxModule, OnStarted, runHost } from '@apix/hostx';
import { BullModule as OldBullModule, Process, Processor as OldProcessor } from '@nestjs/bull';
import { BullModule, InjectQueue, Processor, WorkerHost } from '@nestjs/bullmq';
import { Controller, Get, Injectable, Module, type OnModuleDestroy } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { EventPattern, MessagePattern, Transport } from '@nestjs/microservices';
import { Cron, Interval, ScheduleModule, Timeout } from '@nestjs/schedule';
import type { Queue } from 'bullmq';

/** The app: `app.mjs <stock | plain | runHost | stuck> <port of Redis> <HTTP port> <TCP port>`. */
const [mode = '', redisPort = '', httpPort = '', tcpPort = ''] = process.argv.slice(2);
const connection = { host: '127.0.0.1', port: Number(redisPort) };

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Stands for a pool of connections, which Nest closes with its module. */
@Injectable()
class Database implements OnModuleDestroy {
  #isClosed = false;

  query(): void {
    if (this.#isClosed) throw new Error('db closed');
  }

  onModuleDestroy(): void {
    this.#isClosed = true;
    say('db closed');
  }
}

const within = new AsyncLocalStorage<string>();

/** Has what runs in it know what it is, as the logger of an app does. */
@Injectable()
@WorkScope()
class Scope implements WorkScope {
  run<T>(kind: string, name: string, fn: () => T): T {
    return within.run(`${kind} ${name}`, fn);
  }
}

@Injectable()
class Work {
  readonly #begun = new Set<string>();
  readonly #released = once(process, 'message');

  constructor(private readonly db: Database) {}

  @OnStarted() started(): void {
    say('listening');
  }

  /** Lasts until the parent says so, some time after it has sent SIGTERM. */
  async do(who: string): Promise<string> {
    if (this.#begun.has(who)) return who;
    this.#begun.add(who);
    say(`${who} begun`);
    say(`${who} is ${within.getStore() ?? 'nothing'}`);
    await this.#released;
    try {
      this.db.query();
      say(`${who} done`);
    } catch (error) {
      say(`${who} failed: ${(error as Error).message}`);
      throw error;
    }
    return who;
  }
}

// Short times, so that another worker need not wait long for the jobs of one that is gone.
@Processor('mail', { lockDuration: 2_000, stalledInterval: 500 })
class Mail extends WorkerHost {
  constructor(private readonly work: Work) {
    super();
  }
  process(): Promise<string> {
    return this.work.do('bullmq');
  }
}

/** Waits for a job all the time. */
@Processor('idle')
class Idle extends WorkerHost {
  process(): Promise<void> {
    return Promise.resolve();
  }
}

@OldProcessor('post')
class Post {
  constructor(private readonly work: Work) {}
  @Process() process(): Promise<string> {
    return this.work.do('bull');
  }
}

@Injectable()
class Timers {
  constructor(private readonly work: Work) {}
  @Cron('* * * * * *') cron(): Promise<string> {
    return this.work.do('cron');
  }
  @Interval(50) interval(): Promise<string> {
    return this.work.do('interval');
  }
  @Timeout(50) timeout(): Promise<string> {
    return this.work.do('timeout');
  }
}

@Controller()
class Door {
  constructor(
    private readonly work: Work,
    @InjectQueue('mail') private readonly mail: Queue,
  ) {}
  @Get('slow') async request(): Promise<string> {
    await this.work.do('request');
    // Queues serve on for what is under way; another instance takes the job.
    await this.mail.add('left', {});
    return 'request';
  }
  @MessagePattern('tcp', Transport.TCP) tcp(): Promise<string> {
    return this.work.do('tcp');
  }
  @MessagePattern('redis', Transport.REDIS) redis(): Promise<string> {
    return this.work.do('redis');
  }
  @EventPattern('redis-event', Transport.REDIS) event(_order: object): Promise<string> {
    return this.work.do('redis-event');
  }
}

const host = HostxModule.forRoot({
  drain: { delay: 100 },
  shutdownTimeout: mode === 'stuck' ? '1s' : '10s',
});

@Module({
  imports: [
    BullModule.forRoot({ connection }),
    BullModule.registerQueue({ name: 'mail' }, { name: 'idle' }),
    OldBullModule.forRoot({ redis: connection }),
    OldBullModule.registerQueue({ name: 'post' }),
    ScheduleModule.forRoot(),
    ...(mode === 'stock' ? [] : [host]),
  ],
  controllers: [Door],
  providers: [Scope, Database, Work, Mail, Idle, Post, Timers],
})
class App {}

const tcp = { transport: Transport.TCP, options: { host: '127.0.0.1', port: Number(tcpPort) } };
const redis = { transport: Transport.REDIS, options: connection };

if (mode === 'runHost' || mode === 'stuck') {
  await runHost(App, {
    http: { host: '127.0.0.1', port: Number(httpPort) },
    microservices: [tcp, redis],
    nest: { logger: ['warn', 'error'] },
  });
} else {
  // What stock Nest loses fills the screen.
  const logger = mode === 'stock' ? false : (['warn', 'error'] as const);
  const app = await NestFactory.create(App, { logger: logger && [...logger] });
  app.connectMicroservice(tcp, { inheritAppConfig: true });
  app.connectMicroservice(redis, { inheritAppConfig: true });
  app.enableShutdownHooks([], { useProcessExit: true });
  await app.startAllMicroservices();
  await app.listen(Number(httpPort), '127.0.0.1');
  if (mode === 'stock') say('listening');
}
