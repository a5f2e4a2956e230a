import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Duration, HEALTH_SOURCE, type HealthSource } from '@apix/contracts';
import { AuthzModule } from '@apix/authz';
import { celConditions } from '@apix/authz/conditions';
import { At, CronModule, Every } from '@apix/cron';
import { HostedService, HostxModule, StartupTask } from '@apix/hostx';
import { HealthModule } from '@apix/hostx/health';
import { HostPageModule } from '@apix/host-page';
import { ProtoModule } from '@apix/proto';
import { type StartedHost, startHost } from '@apix/hostx/testing';
import { LogxModule } from '@apix/logx';
import { collectingSink } from '@apix/logx/testing';
import { TracingModule } from '@apix/otel';
import {
  type CanActivate,
  type ExecutionContext,
  Injectable,
  Module,
  type Type,
  UnauthorizedException,
} from '@nestjs/common';

/** As many as the page keeps. */
export const MOST_EVENTS = 2_000;
export const CREDENTIALS = { username: 'operator', password: 'not a secret' };

/** A service whose methods have rules on roles, requests and records. */
const RECORDS = 'libs/authz/testdata/records.binpb';

/** Asks the browser for a name and a password. */
@Injectable()
class OperatorGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const { username, password } = CREDENTIALS;
    const expected = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
    const { headers } = http.getRequest<{ headers: { authorization?: string } }>();
    if (headers.authorization === expected) return true;
    http
      .getResponse<{ setHeader(name: string, value: string): void }>()
      .setHeader('www-authenticate', 'Basic realm="host"');
    throw new UnauthorizedException();
  }
}

/** A service that can be told to crash. */
@HostedService({ name: 'outbox', restart: { initialDelay: '1500ms' } })
export class Outbox implements HealthSource {
  readonly [HEALTH_SOURCE] = true as const;
  backlog = 3;
  crash = (_error: Error): void => {};

  @StartupTask('migrate') migrate(): void {}

  start(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      this.crash = reject;
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  healthChecks() {
    const check = (): void => {
      if (this.backlog > 100) throw new Error(`${this.backlog} messages wait`);
    };
    return [{ name: 'outbox backlog', affects: 'ready', check } as const];
  }
}

@HostedService({ name: 'mailer' })
class Mailer {
  start(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }
}

@Injectable()
class Jobs {
  @Every('outbox-sweep', '10m', { runImmediately: true })
  async sweep(): Promise<void> {
    await sleep(30);
  }

  @At('nightly-report', '0 2 * * *', { timeZone: 'Europe/Berlin' })
  report(): void {
    throw new Error('no printer');
  }
}

/** Where it listens, 0 for anywhere, and for how long it drains. */
export interface AppOptions {
  readonly port: number;
  readonly drainDelay?: Duration;
}

/** What the apps have written into their logs. */
export const logged = collectingSink();

/** The module of an app with a host page. */
export function appModule({ port, drainDelay = 0 }: AppOptions): Type {
  @Module({
    imports: [
      LogxModule.forRoot({ sinks: [logged] }),
      HostxModule.forRoot({ http: { port, host: '127.0.0.1' }, drain: { delay: drainDelay } }),
      HealthModule.forRoot(),
      CronModule.forRoot({ errorHandler: () => {} }),
      ProtoModule.forRoot({ descriptors: RECORDS }),
      AuthzModule.forRoot({
        subject: () => null,
        unannotated: 'allow',
        conditions: celConditions(),
        loaders: { 'records.v1.Record': () => null },
      }),
      TracingModule.forRoot({ recent: {} }),
      HostPageModule.forRoot({
        title: 'Shop',
        guard: OperatorGuard,
        runJob: OperatorGuard,
        restartService: OperatorGuard,
        changeLevel: OperatorGuard,
        interval: '250ms',
        history: '30s',
        checkInterval: '250ms',
        events: MOST_EVENTS,
      }),
    ],
    providers: [Outbox, Mailer, Jobs],
  })
  class App {}
  return App;
}

/** Starts an app in this process. */
export async function startApp(port: number): Promise<StartedHost & { readonly origin: string }> {
  const started = await startHost(appModule({ port }), { http: { port, host: '127.0.0.1' } });
  const address = (started.app!.getHttpServer() as Server).address() as AddressInfo;
  return { ...started, origin: `http://127.0.0.1:${address.port}` };
}
