import { type INestApplication, Module, type OnModuleDestroy } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { untilAborted } from '@apix/contracts/internal';
import { consoleLogger } from '../log/adapters.js';
import type { Hosted } from '../service.js';
import { Host } from '../host/host-builder.js';
import { httpService } from '../http/http-service.js';
import { OnStarted } from './hook.decorators.js';
import { HostedService } from './hosted-service.decorator.js';
import { HostxModule } from './hostx.module.js';
import type { HostxModuleOptions } from './hostx-options.js';
import { runHost } from './run-host.js';

/** A process of its own for drain.spec.ts: its main, and what closes it. */
const [main = '', closing = '', always = ''] = process.argv.slice(2);

const options: HostxModuleOptions = {
  http: { port: 0, host: '127.0.0.1' },
  logger: consoleLogger(),
  drain: { delay: '700ms', always: always === 'always' },
};

let app: INestApplication | undefined;
/** What user code does somewhere. */
const close = async (): Promise<void> => {
  await app!.close();
  console.log('closed');
};

@HostedService({ name: 'worker' })
class Worker implements Hosted, OnModuleDestroy {
  start(signal: AbortSignal): Promise<void> {
    return untilAborted(signal);
  }

  stop(): void {
    console.log('worker stopped');
  }

  onModuleDestroy(): void {
    console.log('destroyed');
  }

  @OnStarted() started(): void {
    setTimeout(() => {
      console.log('ready');
      if (closing === 'close') void close();
    }, 10);
  }
}

@Module({ imports: [HostxModule.forRoot(options)], providers: [Worker] })
class App {}

// What many mains have, and what must not cost a request.
if (closing === 'close-on-signal') process.once('SIGTERM', () => void close());

if (main === 'core') {
  await Host.builder()
    .withLogger(consoleLogger())
    .addService(
      httpService({
        ...(options.drain && { drain: options.drain }),
        handler: (_request, response) => response.end(),
      }),
    )
    .onStarted(() => void setTimeout(() => console.log('ready'), 10))
    .build()
    .run();
} else if (main === 'runHost') {
  await runHost(App, { nest: { logger: false }, configure: (created) => void (app = created) });
  console.log('run resolved');
} else {
  app = await NestFactory.create(App, { logger: false });
  if (main === 'plain-hooks') app.enableShutdownHooks();
  await app.listen(0, '127.0.0.1');
}
