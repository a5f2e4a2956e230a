import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { HEALTH_SOURCE, type HealthSource } from '@apix/contracts';
import { At, CronModule, Every } from '@apix/cron';
import { HostedService, HostxModule, StartupTask } from '@apix/hostx';
import { HealthModule } from '@apix/hostx/health';
import { HostPageModule } from '@apix/hostx/page';
import { type StartedHost, startHost } from '@apix/hostx/testing';
import { TracingModule } from '@apix/otel';
import {
  type CanActivate,
  type ExecutionContext,
  Injectable,
  Module,
  UnauthorizedException,
} from '@nestjs/common';

export const CREDENTIALS = { username: 'operator', password: 'not a secret' };

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

/** An app that listens where it is told; 0 for anywhere. */
export async function startApp(port: number): Promise<StartedHost & { readonly origin: string }> {
  @Module({
    imports: [
      HostxModule.forRoot({}),
      HealthModule.forRoot(),
      CronModule.forRoot({ errorHandler: () => {} }),
      TracingModule.forRoot({ recent: {} }),
      HostPageModule.forRoot({
        title: 'Shop',
        guard: OperatorGuard,
        interval: '250ms',
        history: '30s',
        checkInterval: '250ms',
      }),
    ],
    providers: [Outbox, Mailer, Jobs],
  })
  class App {}
  const started = await startHost(App, { http: { port, host: '127.0.0.1' } });
  const address = (started.app!.getHttpServer() as Server).address() as AddressInfo;
  return { ...started, origin: `http://127.0.0.1:${address.port}` };
}
