import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { Inject, Module, type OnModuleDestroy } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { setTimeout as sleep } from 'node:timers/promises';
import { untilAborted } from '@apix/contracts/internal';
import type { Host } from '../host/host-handle.js';
import type { Hosted } from '../service.js';
import type { HostStatus } from '../state/transitions.js';
import { OnReload, OnStarted } from './hook.decorators.js';
import { HostedService } from './hosted-service.decorator.js';
import { HostRef } from './host-ref.js';
import { HostxModule } from './hostx.module.js';
import { runHost } from './run-host.js';

/** A process of its own for process.spec.ts; says on stdout what happens. */
let [scenario = ''] = process.argv.slice(2);

/** At a terminal that may close it is said to descriptor 3 as well. */
const otherFd = scenario.startsWith('terminal') ? 3 : undefined;
if (otherFd !== undefined) scenario = scenario.slice('terminal-'.length);

function say(text: string): void {
  process.stdout.write(`${text}\n`);
  if (otherFd !== undefined) fs.writeSync(otherFd, `${text}\n`);
}

const kept: object[] = [];

function literal(): object {
  return { texts: ['a', 'b'] };
}

function failure(): Error {
  return new Error('boom', { cause: new Error('disk full') });
}

@HostedService({ name: 'worker' })
class Worker implements Hosted, OnModuleDestroy {
  #fail = (_error: Error): void => {};

  constructor(@Inject(HostRef) private readonly host: HostRef) {}

  async start(signal: AbortSignal): Promise<void> {
    const failed = new Promise<never>((_, reject) => (this.#fail = reject));
    await Promise.race([untilAborted(signal), failed]);
  }

  async stop(): Promise<void> {
    if (scenario.endsWith('abandoned')) await new Promise(() => setInterval(() => {}, 1_000));
    say('worker stopped');
  }

  onModuleDestroy(): void {
    say('destroyed');
  }

  @OnStarted() started(): void {
    say('ready');
    if (scenario.includes('keeps')) for (let i = 0; i < 300_000; i++) kept.push(literal());
    if (scenario.endsWith('shutdown')) setTimeout(() => this.host.shutdown('enough'), 10);
    if (scenario.includes('held') || scenario === 'linger') setInterval(() => {}, 1_000);
    if (scenario.endsWith('uncaught')) {
      setTimeout(() => {
        throw new Error('boom');
      }, 10);
    }
    if (scenario.endsWith('fails')) setTimeout(() => this.#fail(failure()), 10);
  }

  @OnReload() reload(): void {
    say('reloaded');
  }
}

@Module({
  imports: [
    HostxModule.forRoot({
      logger: null,
      http: { port: 0, host: '127.0.0.1' },
      drain: { delay: 0 },
      ...(scenario.endsWith('abandoned') && { shutdownTimeout: 200 }),
      ...(scenario.startsWith('context') && { applicationContext: true }),
    }),
  ],
  providers: [Worker],
})
class App {}

/** Ends the process by itself, later than a host would have that thinks it its own. */
async function outliving(state: () => HostStatus): Promise<void> {
  while (state().phase !== 'stopped') await sleep(10);
  await sleep(1_500);
  say('still there');
  process.exit(7);
}

/** The process gets the first signal to itself a while later, as where another thread has to take it. */
const isLate = scenario.startsWith('late-');
if (isLate) {
  scenario = scenario.slice('late-'.length);
  const kill = process.kill.bind(process);
  process.kill = (pid, signal) => {
    process.kill = kill;
    const late = `setTimeout(() => process.kill(${pid}, '${signal}'), 100)`;
    spawn(process.execPath, ['-e', late], { detached: true, stdio: 'ignore' }).unref();
    return true;
  };
}

if (scenario === 'jobs' || scenario === 'script') {
  const { ScheduleModule, Timeout } = await import('@nestjs/schedule');
  class Report {
    constructor(@Inject(HostRef) private readonly host: HostRef) {}

    @Timeout(10) async write(): Promise<void> {
      say('ready');
      if (scenario === 'script') return;
      while (this.host.state.phase !== 'stopping') await sleep(10);
      await sleep(100);
      say('job done');
    }
  }
  @Module({ imports: [ScheduleModule.forRoot(), App], providers: [Report] })
  class Root {}
  await NestFactory.createApplicationContext(Root, { logger: false });
} else if (scenario.startsWith('testing')) {
  const { Test } = await import('@nestjs/testing');
  const module = await Test.createTestingModule({ imports: [App] }).compile();
  const app = module.createNestApplication({ logger: false });
  await app.listen(0, '127.0.0.1');
  await outliving(() => app.get(HostRef).state);
} else if (scenario.startsWith('startHost')) {
  const { startHost } = await import('../testing/start-host.js');
  const { host } = await startHost(App);
  await outliving(() => host.state);
} else if (scenario.startsWith('context')) {
  const app = await NestFactory.createApplicationContext(App, { logger: false });
  await outliving(() => app.get(HostRef).state);
} else if (scenario.startsWith('runContext')) {
  let host: Host | undefined;
  const run = runHost(App, {
    nest: { logger: false },
    run: (built) => (host = built).runContext(),
    linger: false,
  });
  await run.catch(() => {});
  await outliving(() => host!.state);
} else if (scenario.startsWith('taken')) {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  @Module({ imports: [HostxModule.forRoot({ http: { port, host: '127.0.0.1' } })] })
  class Root {}
  if (scenario === 'taken-plain') {
    const app = await NestFactory.create(Root);
    await app.listen(port, '127.0.0.1');
  } else await runHost(Root).catch(() => say('caught'));
} else if (scenario.startsWith('plain')) {
  const app = await NestFactory.create(App, { logger: false });
  if (scenario.startsWith('plain-hooks')) app.enableShutdownHooks();
  if (scenario.startsWith('plain-exit')) app.enableShutdownHooks([], { useProcessExit: true });
  await app.listen(0, '127.0.0.1');
  if (scenario.startsWith('plain-closed')) {
    setTimeout(() => say('still there'), 1_500);
    setTimeout(() => process.exit(7), 1_600);
    await app.close();
    say('closed');
  }
} else {
  const isRefused = scenario.endsWith('refused');
  if (isRefused) setInterval(() => {}, 1_000);
  const run = runHost(App, {
    nest: { logger: false },
    configure: (app) => void app.enableShutdownHooks(),
    ...(isRefused && { shutdownTimeout: 0 }),
  });
  await (scenario.startsWith('caught') ? run.catch(() => say('caught')) : run);
  say('run resolved');
}
