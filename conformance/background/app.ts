import 'reflect-metadata';
import { once } from 'node:events';
import { HostxModule, runHost } from '@apix/hostx';
import { BullModule as OldBullModule, Process, Processor as OldProcessor } from '@nestjs/bull';
import { BullModule, InjectQueue, Processor, WorkerHost } from '@nestjs/bullmq';
import { Controller, Get, Injectable, Module, type OnModuleDestroy } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { EventPattern, MessagePattern, Transport } from '@nestjs/microservices';
import { Cron, Interval, ScheduleModule, Timeout } from '@nestjs/schedule';
import type { Queue } from 'bullmq';

/** The app: `app.mjs <stock | plain | runHost> <port of Redis> <HTTP port> <TCP port>`. */
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

@Injectable()
class Work {
  readonly #begun = new Set<string>();
  readonly #released = once(process, 'message');

  constructor(private readonly db: Database) {}

  /** Lasts until the parent says so, some time after it has sent SIGTERM. */
  async do(who: string): Promise<string> {
    if (this.#begun.has(who)) return who;
    this.#begun.add(who);
    say(`${who} begun`);
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

@Processor('mail')
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

const host = HostxModule.forRoot({ drain: { delay: 100 }, shutdownTimeout: '10s' });

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
  providers: [Database, Work, Mail, Idle, Post, Timers],
})
class App {}

const tcp = { transport: Transport.TCP, options: { host: '127.0.0.1', port: Number(tcpPort) } };
const redis = { transport: Transport.REDIS, options: connection };

if (mode === 'runHost') {
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
}
