import { AsyncLocalStorage } from 'node:async_hooks';
import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { WorkScope } from '@apix/contracts';
import { Controller, Get, Injectable, Module, type OnModuleDestroy } from '@nestjs/common';
import {
  EventPattern,
  MessagePattern,
  type MicroserviceOptions,
  type TcpClientOptions,
  Transport,
} from '@nestjs/microservices';
import { Cron, Interval, ScheduleModule, Timeout } from '@nestjs/schedule';
import { type Observable, concat, defer, finalize, interval, of } from 'rxjs';
import { freePort } from '../../../../../tools/testing/free-port.js';
import { OnStopping } from '../hook.decorators.js';
import { HostxModule } from '../hostx.module.js';

/** What happened, in order; tests empty it first. */
export const log: string[] = [];
export const events = new EventEmitter();

export function happened(what: string): void {
  log.push(what);
  events.emit(what);
}

/** Stands for a pool of connections, which Nest closes with its module. */
@Injectable()
export class Database implements OnModuleDestroy {
  #isClosed = false;

  query(who: string): string {
    if (this.#isClosed) throw new Error('db closed');
    happened(`${who} done`);
    return who;
  }

  onModuleDestroy(): void {
    this.#isClosed = true;
    happened('db closed');
  }
}

const within = new AsyncLocalStorage<string>();

/** Has what runs in it know what it is. */
@Injectable()
@WorkScope()
export class Scope implements WorkScope {
  run<T>(kind: string, name: string, fn: () => T): T {
    return within.run(`${kind} ${name}`, fn);
  }
}

/** Handlers that begin at once, and end some time after the shutdown has begun. */
@Injectable()
@Controller()
export class Slow {
  readonly scopes = new Map<string, string | undefined>();
  readonly #begun = new Set<string>();

  constructor(private readonly db: Database) {}

  @Cron('* * * * * *') cron(): Promise<void> {
    return this.#once('cron');
  }

  @Interval(20) interval(): Promise<void> {
    return this.#once('interval');
  }

  @Timeout(20) timeout(): Promise<void> {
    return this.#once('timeout');
  }

  @Timeout('broken', 20) broken(): void {
    happened('broken');
    throw new Error('no paper');
  }

  @Timeout('late', 600_000) late(): void {
    happened('late');
  }

  @MessagePattern('slow') message(): Promise<string> {
    return this.#work('message');
  }

  @MessagePattern('list') list(): Observable<string> {
    return concat(
      of('first'),
      defer(() => this.#work('list')),
    );
  }

  @MessagePattern('endless') endless(): Observable<number> {
    return interval(5).pipe(finalize(() => happened('endless ended')));
  }

  @EventPattern('order.*') event(_order: object): Promise<string> {
    return this.#work('event');
  }

  @Get('slow') request(): Promise<string> {
    return this.#work('request');
  }

  @OnStopping() stopping(): void {
    happened('stopping');
  }

  async #once(who: string): Promise<void> {
    if (this.#begun.has(who)) return;
    this.#begun.add(who);
    await this.#work(who);
  }

  async #work(who: string): Promise<string> {
    this.scopes.set(who, within.getStore());
    const stopping = once(events, 'stopping');
    happened(`${who} begun`);
    await stopping;
    // By then an app that waits for requests alone has closed its database.
    if (who !== 'request') await sleep(150);
    return this.db.query(who);
  }
}

@Module({
  imports: [
    ScheduleModule.forRoot(),
    HostxModule.forRoot({
      logger: null,
      drain: { delay: 0 },
      http: { host: '127.0.0.1', port: 0 },
    }),
  ],
  controllers: [Slow],
  providers: [Database, Scope],
})
export class GuestApp {}

export type Tcp = MicroserviceOptions & TcpClientOptions;

export async function freeTcp(): Promise<Tcp> {
  return { transport: Transport.TCP, options: { host: '127.0.0.1', port: await freePort() } };
}
