import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Controller, Get, Inject, type INestApplication, Module } from '@nestjs/common';
import { untilAborted } from '@apix/contracts/internal';
import { consoleLogger } from '../log/adapters.js';
import { HealthModule } from '../nest/health/health.module.js';
import { OnReload, OnStopping, StartupTask } from '../nest/hook.decorators.js';
import { HostedService } from '../nest/hosted-service.decorator.js';
import { HostRef } from '../nest/host-ref.js';
import { HostxModule } from '../nest/hostx.module.js';
import { runHost } from '../nest/run-host.js';
import type { Hosted } from '../service.js';
import { parentLink } from './parent-link.js';
import { runProcesses } from './run-processes.js';
import { existsSync } from 'node:fs';

/** An app in several processes, for processes.spec.ts; says on stdout what happens. */
const [how = '', scenario = '', marker = ''] = process.argv.slice(2);

function say(text: string): void {
  process.stdout.write(`${parentLink()?.index ?? 'parent'} ${text}\n`);
}

@Controller()
class Site {
  constructor(@Inject(HostRef) private readonly host: HostRef) {}

  @Get('pid') pid() {
    return String(process.pid);
  }
  @Get('slow') async slow() {
    await sleep(150);
    return 'slow';
  }
  @Get('restart') async restart() {
    return this.host.restart().then(
      () => 'restarted',
      (error: Error) => error.message,
    );
  }
  @Get('processes') async processes() {
    return JSON.stringify(await this.host.processes());
  }
  @Get('reload') async reload() {
    await this.host.reload();
    return 'reloaded';
  }
  @Get('shutdown') shutdown() {
    this.host.shutdown('enough');
  }
  @Get('block') block() {
    say('blocks');
    for (;;);
  }
}

@HostedService({ name: 'sweeper', single: true })
class Sweeper implements Hosted {
  async start(signal: AbortSignal): Promise<void> {
    say('sweeps');
    await untilAborted(signal);
    say('swept');
  }
}

class Hooks {
  @StartupTask('migrate', { once: true }) migrate() {
    say('migrates');
    if (scenario === 'bad' || existsSync(marker)) throw new Error('no database');
  }
  @OnReload() reload() {
    say('reloaded');
  }
  @OnStopping() stopping() {
    say('stops');
    if (scenario === 'bad-stop' && parentLink()?.index === 2) throw new Error('cannot flush');
  }
}

@Module({
  imports: [
    HostxModule.forRoot({
      logger: consoleLogger({ info: say, warn: say, error: (...said) => say(said.join(' ')) }),
      http: { port: scenario === 'taken' ? Number(marker) : 0, host: '127.0.0.1' },
      drain: { delay: how === 'runHost' ? 300 : 0 },
      shutdownTimeout: '10s',
    }),
    HealthModule.forRoot(),
  ],
  controllers: [Site],
  providers: [Sweeper, Hooks],
})
class App {}

let app: INestApplication;
const run = () =>
  runHost(App, {
    nest: { logger: false },
    ...(how === 'runHost' && { processes: 2 }),
    configure: (created) => void (app = created),
    extend: (builder) =>
      void builder.onStarted(() => {
        const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
        say(`ready ${process.pid} ${port}`);
      }),
  });
await (how === 'runHost' ? run() : runProcesses({ count: 2, restart: { initialDelay: 50 } }, run));
