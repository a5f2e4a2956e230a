import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { CloseLast } from '@apix/contracts';
import { untilAborted } from '@apix/contracts/internal';
import { Injectable, Module, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type MicroserviceOptions, Transport } from '@nestjs/microservices';
import { OnReload, OnStarted, StartupTask } from './hook.decorators.js';
import { HostedService } from './hosted-service.decorator.js';
import { HostxModule } from './hostx.module.js';
import { runHost } from './run-host.js';

/** A process of its own for boot.spec.ts: a main, and the place where its start takes half a second. */
const [main = '', place = '', ...ways] = process.argv.slice(2);

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

async function slowAt(here: string): Promise<void> {
  if (here !== place) return;
  // The providers that need nothing have been created by then.
  await turn();
  say('begun');
  // A connection that is never made, or one that is made at last.
  await (ways.includes('hangs') ? new Promise(() => {}) : sleep(500));
  say('done');
}

// Something always holds the process, as a pool of connections does.
setInterval(() => {}, 1_000);
// As the SDKs of tracing do, which do not end the process.
if (ways.includes('listener')) process.on('SIGTERM', () => say('spans sent'));

@HostedService({ name: 'worker' })
class Worker implements OnModuleInit, OnModuleDestroy {
  async start(signal: AbortSignal): Promise<void> {
    await untilAborted(signal);
  }

  async ready(): Promise<void> {
    if (place === 'service') say('begun');
    if (place === 'service') await new Promise(() => {});
  }

  stop(): void {
    say('worker stopped');
  }

  async onModuleInit(): Promise<void> {
    await slowAt('init');
  }

  onModuleDestroy(): void {
    say('destroyed');
  }

  @StartupTask('migrate', { phase: 'beforeInit' }) async migrate(): Promise<void> {
    await slowAt('task');
  }

  @OnStarted() started(): void {
    say('ready');
  }

  @OnReload() reload(): void {
    say('reloaded');
  }
}

@Injectable()
@CloseLast()
class Log implements CloseLast {
  closeLast(): void {
    say('log closed');
  }
}

const options = {
  logger: null,
  drain: { delay: 0 },
  shutdownTimeout: ways.includes('hangs') ? 300 : 5_000,
  applicationContext: main === 'context',
};

@Module({
  imports: [
    HostxModule.forRootAsync({
      useFactory: async () => {
        await slowAt('options');
        return options;
      },
    }),
  ],
  providers: [{ provide: 'DB', useFactory: () => slowAt('factory') }, Log, Worker],
})
class AppModule {}

const quiet = { logger: false } as const;
if (main === 'runHost') {
  const app = slowAt('import').then(() => AppModule);
  const run = runHost(app, {
    nest: quiet,
    logger: null,
    http: { port: 0, host: '127.0.0.1' },
    configure: () => slowAt('configure'),
    ...(ways.includes('hangs') && { shutdownTimeout: 300 }),
  });
  await run;
  say('run resolved');
} else if (main === 'microservice') {
  const service = await NestFactory.createMicroservice<MicroserviceOptions>(AppModule, {
    ...quiet,
    transport: Transport.TCP,
    options: { port: 0, host: '127.0.0.1' },
  });
  await service.listen();
  say('listens');
} else if (main === 'context' || main === 'script') {
  await NestFactory.createApplicationContext(AppModule, quiet);
  say('listens');
} else {
  const app = await NestFactory.create(AppModule, quiet);
  if (main === 'plain-hooks') app.enableShutdownHooks();
  if (main === 'uninitialised') await sleep(60_000);
  await app.listen(0, '127.0.0.1');
  say('listens');
}
