import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ScheduleModule, Timeout } from '@nestjs/schedule';
import { HostRef } from '../host-ref.js';
import { HostedService } from '../hosted-service.decorator.js';
import { HostxModule } from '../hostx.module.js';
import { consoleLogger } from '../../log/adapters.js';
import { Database, events, happened, log } from './guest-app.fixture.js';

@Injectable()
class Reports {
  constructor(private readonly db: Database) {}

  @Timeout(10) async nightly(): Promise<void> {
    const closing = once(events, 'closing');
    happened('begun');
    await closing;
    await sleep(150);
    this.db.query('report');
  }
}

@HostedService({ name: 'worker' })
class Worker {
  start(): void {
    happened('worker started');
  }
}

const lines: string[] = [];
const write = (message: string): void => void lines.push(message);
const error = (message: string, detail: unknown): void => void lines.push(message, String(detail));
const logger = consoleLogger({ info: write, warn: write, error });

function modulesInOrder(order: 'first' | 'last', shutdownTimeout = 5_000): Type {
  const host = HostxModule.forRoot({ logger, shutdownTimeout });
  const schedule = ScheduleModule.forRoot();
  @Module({
    imports: order === 'first' ? [host, schedule] : [schedule, host],
    providers: [Database, Reports, Worker],
  })
  class WorkerApp {}
  return WorkerApp;
}

async function closedWithWork(root: Type): Promise<HostRef> {
  const begun = once(events, 'begun');
  const app = await NestFactory.createApplicationContext(root, { logger: false });
  await begun;
  const closed = app.close();
  happened('closing');
  await closed;
  return app.get(HostRef);
}

beforeEach(() => {
  log.length = 0;
  lines.length = 0;
});

describe('the jobs of an application context', () => {
  it.each(['first', 'last'] as const)(
    'end before what they use is closed, with HostxModule imported %s',
    async (order) => {
      const ref = await closedWithWork(modulesInOrder(order));
      expect(log).toEqual(['begun', 'closing', 'report done', 'db closed']);
      expect(ref.state.phase).toBe('stopped');
    },
  );

  it('are run by a host that runs nothing else, which a line says', async () => {
    await closedWithWork(modulesInOrder('first'));
    expect(lines[0]).toBe(
      'hostx: Host runs only the jobs of other modules in an application context, so worker did ' +
        'not start; set the option applicationContext to run it there',
    );
  });

  it('are named where they do not end in time', async () => {
    await closedWithWork(modulesInOrder('first', 100));
    expect(log).toEqual(['begun', 'closing', 'db closed']);
    expect(lines.join('\n')).toContain(
      'hostx: service background-work: stop: not finished in time: Reports.nightly',
    );
    // The job ends in this test and not in the next.
    await sleep(150);
  });
});
