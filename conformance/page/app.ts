import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Duration, HEALTH_SOURCE, type HealthSource } from '@apix/contracts';
import { AuthzModule } from '@apix/authz';
import { celConditions } from '@apix/authz/conditions';
import { At, CronModule, Every } from '@apix/cron';
import { GatewayModule } from '@apix/gateway';
import { GrpcModule } from '@apix/grpc';
import { HostedService, HostxModule, StartupTask } from '@apix/hostx';
import { HealthModule } from '@apix/hostx/health';
import { HostPageModule } from '@apix/host-page';
import { ProtoModule, ProtoRegistry } from '@apix/proto';
import { type StartedHost, startHost } from '@apix/hostx/testing';
import { InjectLogger, type Logger, LogxModule } from '@apix/logx';
import { collectingSink } from '@apix/logx/testing';
import { TracingModule } from '@apix/otel';
import { create } from '@bufbuild/protobuf';
import {
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  Injectable,
  Module,
  NotFoundException,
  Param,
  type Type,
  UnauthorizedException,
} from '@nestjs/common';
import { Records, recordsSubject } from './records.js';

/** As many as the page keeps. */
export const MOST_EVENTS = 2_000;
export const CREDENTIALS = { username: 'operator', password: 'not a secret' };

/** A service whose methods have rules on roles, requests and records. */
const RECORDS = 'libs/authz/testdata/records.binpb';
const RECORD = ProtoRegistry.load(RECORDS).registry.getMessage('records.v1.Record')!;

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

/** A route that can be called with an error of either side. */
@Controller('orders')
class Orders {
  @Get(':id') find(@Param('id') id: string): object {
    if (id === 'broken') throw new Error('no stock');
    if (id === 'unknown') throw new NotFoundException();
    return { id };
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

/** Fails after debug events, which are buffered. */
@Controller('stock')
class Stock {
  constructor(@InjectLogger('stock') private readonly log: Logger) {}

  @Get('tea')
  async tea(): Promise<never> {
    this.log.debug('asking {Shelf}', '<b>shelf 7</b>');
    await sleep(20);
    this.log.warning('shelf 7 does not answer');
    throw new Error('no <b>tea</b>');
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
      LogxModule.forRoot({ sinks: [logged], bufferOnFailure: true }),
      HostxModule.forRoot({ http: { port, host: '127.0.0.1' }, drain: { delay: drainDelay } }),
      HealthModule.forRoot(),
      CronModule.forRoot({ errorHandler: () => {} }),
      ProtoModule.forRoot({ descriptors: RECORDS }),
      AuthzModule.forRoot({
        subject: recordsSubject,
        unannotated: 'allow',
        conditions: celConditions(),
        loaders: { 'records.v1.Record': (name) => create(RECORD, { name, owner: 'ada' }) },
      }),
      GrpcModule.forRoot({ port: 0, host: '127.0.0.1' }),
      GatewayModule.forRoot({ protocols: ['rest', 'connect', 'grpc-web'] }),
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
    controllers: [Records, Orders, Stock],
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
