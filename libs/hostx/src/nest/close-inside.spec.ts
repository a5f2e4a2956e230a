import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { untilAborted } from '@apix/contracts/internal';
import {
  type CallHandler,
  Controller,
  Get,
  type INestApplication,
  Inject,
  Injectable,
  Module,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { MessagePattern, Transport } from '@nestjs/microservices';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Interval, ScheduleModule, Timeout } from '@nestjs/schedule';
import type { Observable } from 'rxjs';
import { type StartHostOptions, startHost } from '../testing/start-host.js';
import { OnReload, OnStarted, StartupTask } from './hook.decorators.js';
import { HostedService } from './hosted-service.decorator.js';
import { HostRef } from './host-ref.js';
import type { HostxModuleOptions } from './hostx-options.js';
import { HostxModule } from './hostx.module.js';

/** The ways in which the app's own code asks for its stop. */
const ASKS = {
  'await app.close()': (app: INestApplication) => app.close(),
  'await app.close() after an await': async (app: INestApplication) => {
    await sleep(5);
    await app.close();
  },
  'await HostRef.shutdown()': async (app: INestApplication) => {
    // Awaited as people do, although there is nothing to wait for.
    await (app.get(HostRef).shutdown('enough') as unknown as Promise<void>);
  },
} as const;
type Ask = keyof typeof ASKS;

/** Where the work is that asks, and what it said once it went on. */
class Asking {
  app: INestApplication | null = null;
  readonly said: string[] = [];

  constructor(
    readonly place: string,
    readonly ask: Ask,
  ) {}

  async at(place: string): Promise<string> {
    if (place !== this.place || this.said.length > 0) return '';
    this.said.push('asked');
    await ASKS[this.ask](this.app!);
    this.said.push('went on');
    return 'bye';
  }
}

async function untilRunning(host: Pick<HostRef, 'state'>): Promise<void> {
  while (host.state.phase !== 'running') await sleep(5);
}

@Injectable()
class Passing implements NestInterceptor {
  intercept(_context: unknown, next: CallHandler): Observable<unknown> {
    return next.handle();
  }
}

function appThatAsks(asking: Asking, options: HostxModuleOptions = {}) {
  @HostedService({ name: 'worker', completes: true })
  class Worker {
    constructor(@Inject(HostRef) private readonly host: HostRef) {}
    async start(signal: AbortSignal): Promise<void> {
      if (asking.place === 'service') await untilRunning(this.host);
      await asking.at('service');
      await untilAborted(signal);
    }
    @StartupTask('migrate') async migrate() {
      await asking.at('task');
    }
    @OnStarted() async started() {
      await asking.at('started hook');
    }
    @OnReload() async reload() {
      await asking.at('reload hook');
    }
    @Interval(5) async tick() {
      await asking.at('interval');
    }
    @Timeout(5) async once() {
      await asking.at('timeout');
    }
  }

  @Controller()
  class Site {
    @Get('plain') plain(): Promise<string> {
      return asking.at('handler');
    }
    @Get('intercepted') @UseInterceptors(Passing) intercepted(): Promise<string> {
      return asking.at('intercepted');
    }
    @MessagePattern('close') async message(): Promise<string> {
      return asking.at('message');
    }
  }

  @Module({
    imports: [HostxModule.forRoot(options), ScheduleModule.forRoot()],
    controllers: [Site],
    providers: [Worker],
  })
  class App {}
  return App;
}

async function startAsking(asking: Asking, options: StartHostOptions = {}) {
  const started = startHost(appThatAsks(asking), {
    ...options,
    shutdownTimeout: '5s',
    configure: (app) => void (asking.app = app),
  });
  return started;
}

const PLATFORMS: [string, () => StartHostOptions][] = [
  ['Express', () => ({})],
  ['Fastify', () => ({ adapter: new FastifyAdapter() })],
];

const urlOf = (app: INestApplication, path: string): string => {
  const { port } = app.getHttpServer().address() as { port: number };
  return `http://127.0.0.1:${port}/${path}`;
};

describe.each(PLATFORMS)('a request handler on %s', (_, platform) => {
  it.each(
    (['plain', 'intercepted'] as const).flatMap((path) =>
      (Object.keys(ASKS) as Ask[]).map((ask) => [path, ask] as const),
    ),
  )('%s answers, and the stop does not wait for it: %s', async (path, ask) => {
    const asking = new Asking(path === 'plain' ? 'handler' : path, ask);
    const { app, stop } = await startAsking(asking, platform());
    const response = await fetch(urlOf(app!, path), { headers: { connection: 'close' } });
    expect([response.status, await response.text()]).toEqual([200, 'bye']);
    expect(await stop()).toBeUndefined();
    expect(asking.said).toEqual(['asked', 'went on']);
  });
});

describe.each(Object.keys(ASKS) as Ask[])('work that says %s', (ask) => {
  it.each(['service', 'interval', 'timeout'])('goes on, and the host stops: %s', async (place) => {
    const asking = new Asking(place, ask);
    const { stop, host } = await startAsking(asking);
    while (host.state.phase === 'running') await sleep(5);
    expect(await stop()).toBeUndefined();
    expect(asking.said).toEqual(['asked', 'went on']);
  });

  it.each(['task', 'started hook'])('goes on, and the start ends: %s', async (place) => {
    const asking = new Asking(place, ask);
    await expect(startAsking(asking)).rejects.toThrow('was shut down before it was ready');
    expect(asking.said).toEqual(['asked', 'went on']);
  });

  it('goes on, and the host stops: reload hook', async () => {
    const asking = new Asking('reload hook', ask);
    const { stop, host } = await startAsking(asking);
    await host.reload().catch(() => {});
    expect(await stop()).toBeUndefined();
    expect(asking.said).toEqual(['asked', 'went on']);
  });

  it('answers, and the host stops: message handler', async () => {
    const asking = new Asking('message', ask);
    const { app, stop } = await startAsking(asking, {
      microservices: [{ transport: Transport.TCP, options: { port: 0, host: '127.0.0.1' } }],
    });
    const [microservice] = app!.getMicroservices();
    const server = microservice!.unwrap<import('node:net').Server>();
    const socket = connect((server.address() as { port: number }).port, '127.0.0.1');
    const request = JSON.stringify({ pattern: 'close', data: '', id: '1' });
    socket.write(`${request.length}#${request}`);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toContain('bye');
    socket.destroy();
    expect(await stop()).toBeUndefined();
    expect(asking.said).toEqual(['asked', 'went on']);
  });
});

describe('code that no work awaits', () => {
  it('waits until everything has stopped, also when it was started by a request', async () => {
    const asking = new Asking('handler', 'await app.close()');
    const { app, host } = await startAsking(asking);
    const closed = app!.close();
    await closed;
    expect(host.state.phase).toBe('stopped');
  });

  it('waits until everything has stopped where a timer of a handler starts it', async () => {
    let ended = (_phase: string): void => {};
    const phase = new Promise<string>((resolve) => (ended = resolve));
    let close = async (): Promise<void> => {};
    @Controller()
    class Site {
      @Get() stop(): string {
        setTimeout(() => void close(), 1);
        return 'soon';
      }
    }
    @Module({ controllers: [Site] })
    class App {}
    const { app, host } = await startHost(App);
    close = async () => {
      await app!.close();
      ended(host.state.phase);
    };
    const response = await fetch(urlOf(app!, ''), { headers: { connection: 'close' } });
    expect(await response.text()).toBe('soon');
    expect(await phase).toBe('stopped');
  });
});

describe.each(PLATFORMS)(
  'with a plain main, app.close() inside of a request handler on %s',
  (_, platform) => {
    it('rejects at once and says why, and the host stops in order', async () => {
      const asking = new Asking('handler', 'await app.close() after an await');
      const { adapter } = platform() as { adapter?: FastifyAdapter };
      const App = appThatAsks(asking, { logger: null, drain: { delay: 0 }, linger: false });
      const quiet = { logger: false } as const;
      const app =
        adapter === undefined
          ? await NestFactory.create(App, quiet)
          : await NestFactory.create(App, adapter, quiet);
      asking.app = app;
      await app.listen(0, '127.0.0.1');
      const ref = app.get(HostRef);
      await untilRunning(ref);
      const { status } = await fetch(urlOf(app, 'plain'), { headers: { connection: 'close' } });
      expect([status, asking.said]).toEqual([500, ['asked']]);
      while (ref.state.phase !== 'stopped') await sleep(5);
      expect(ref.state.reason).toBe('app.close()');
      await app.close();
    });
  },
);

describe.each(['service', 'interval', 'timeout'])(
  'with a plain main, app.close() inside of: %s',
  (place) => {
    it('is no failure, and the host stops in order', async () => {
      const asking = new Asking(place, 'await app.close() after an await');
      const App = appThatAsks(asking, { logger: null, drain: { delay: 0 }, linger: false });
      const app = await NestFactory.create(App, { logger: false });
      asking.app = app;
      await app.listen(0, '127.0.0.1');
      const ref = app.get(HostRef);
      while (ref.state.phase !== 'stopped') await sleep(5);
      expect(ref.state.services.map(({ state }) => state)).toEqual(
        ref.state.services.map(() => 'stopped'),
      );
      await app.close();
    });
  },
);
