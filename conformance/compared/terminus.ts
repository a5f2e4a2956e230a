import { setTimeout as sleep } from 'node:timers/promises';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import {
  type BeforeApplicationShutdown,
  Controller,
  Get,
  Inject,
  Injectable,
  Module,
  type OnApplicationShutdown,
  type OnModuleDestroy,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { HealthCheckService, TerminusModule } from '@nestjs/terminus';
import type { Peer } from './claim.js';

const WAIT_MS = 600;

export const terminus: Peer = {
  name: '@nestjs/terminus',
  claims: [
    {
      says: 'wait before a shutdown',
      expected: 'when onModuleDestroy has run',
      see: async () => {
        let destroyedAt = Infinity;
        @Injectable()
        class Store implements OnModuleDestroy, BeforeApplicationShutdown, OnApplicationShutdown {
          shutAt = 0;
          onModuleDestroy(): void {
            destroyedAt = performance.now();
          }
          beforeApplicationShutdown(): void {}
          onApplicationShutdown(): void {
            this.shutAt = performance.now();
          }
        }
        @Module({
          imports: [TerminusModule.forRoot({ gracefulShutdownTimeoutMs: WAIT_MS, logger: false })],
          providers: [Store],
        })
        class App {}
        const app = await NestFactory.create(App, { logger: false });
        await app.init();
        const store = app.get(Store);
        const begun = performance.now();
        // As enableShutdownHooks does it; without a signal there is no wait.
        await (app as unknown as { close(signal: string): Promise<void> }).close('SIGTERM');
        if (store.shutAt - begun < WAIT_MS / 2) return 'no wait was seen';
        return destroyedAt - begun < WAIT_MS / 2 ? 'when onModuleDestroy has run' : 'before it';
      },
    },
    {
      says: 'a check that never settles, without a timeout of its indicator',
      expected: 'holds the answer',
      see: async () => {
        @Controller('health')
        class Health {
          constructor(@Inject(HealthCheckService) private readonly health: HealthCheckService) {}
          @Get() check() {
            return this.health.check([() => new Promise<never>(() => {})]);
          }
        }
        @Module({ imports: [TerminusModule.forRoot({ logger: false })], controllers: [Health] })
        class App {}
        const app = await NestFactory.create(App, { logger: false });
        await app.listen(0, '127.0.0.1');
        const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
        const leaving = new AbortController();
        const answered = fetch(`http://127.0.0.1:${port}/health`, { signal: leaving.signal }).then(
          ({ status }) => `answers ${status}`,
          () => 'holds the answer',
        );
        const seen = await Promise.race([answered, sleep(2_000, 'holds the answer')]);
        leaving.abort();
        await app.close();
        return seen;
      },
    },
  ],
};
