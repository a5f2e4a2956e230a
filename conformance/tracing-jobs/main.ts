import 'reflect-metadata';
import { deepStrictEqual } from 'node:assert/strict';
import { once } from 'node:events';
import { HostxModule } from '@apix/hostx';
import { TracingModule, bullmqTelemetry } from '@apix/otel';
import { tracedClient } from '@apix/otel/microservices';
import { BullModule, Processor, WorkerHost, getQueueToken } from '@nestjs/bullmq';
import { Controller, type DynamicModule, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ClientProxyFactory, MessagePattern, Transport } from '@nestjs/microservices';
import { Cron, ScheduleModule } from '@nestjs/schedule';
import { context, trace } from '@opentelemetry/api';
import { type Job, type Queue, QueueEvents } from 'bullmq';
import { lastValueFrom } from 'rxjs';
import { RecordedSpans, forgetSpans } from '../../libs/otel/src/recorded-spans.fixture.js';
import { Redis } from '../redis.js';

const tracer = () => trace.getTracer('app');
const query = (): void => tracer().startSpan('query').end();

@Processor('mail')
class Mail extends WorkerHost {
  async process({ name }: Job): Promise<void> {
    query();
    if (name === 'broken') throw new RangeError('no stamps');
  }
}

let ticked = (): void => {};

@Controller()
class Shop {
  @MessagePattern('count') count(): number {
    query();
    return 3;
  }

  @Cron('* * * * * *') tick(): void {
    ticked();
  }
}

interface Scenario {
  readonly name: string;
  readonly imports: DynamicModule[];
  readonly hasTelemetry: boolean;
}

const host = (): DynamicModule => HostxModule.forRoot({ logger: null, http: false });

const SCENARIOS: readonly Scenario[] = [
  { name: 'telemetry, no host', imports: [], hasTelemetry: true },
  { name: 'telemetry and a host', imports: [host()], hasTelemetry: true },
  { name: 'a host alone', imports: [host()], hasTelemetry: false },
];

const redis = await Redis.create();
await redis.start();
try {
  for (const scenario of SCENARIOS) {
    console.log(`${scenario.name}\n  ${(await spansIn(scenario)).join('\n  ')}`);
  }
  console.log('everything passed');
} finally {
  await redis.stop();
}

async function spansIn({ imports, hasTelemetry }: Scenario): Promise<readonly string[]> {
  const recorded = new RecordedSpans();
  const connection = { host: '127.0.0.1', port: redis.port };
  const telemetry = hasTelemetry ? { telemetry: bullmqTelemetry() } : {};
  @Module({
    imports: [
      ...imports,
      TracingModule.forRoot(),
      ScheduleModule.forRoot(),
      BullModule.forRoot({ connection, ...telemetry }),
      BullModule.registerQueue({ name: 'mail' }),
    ],
    controllers: [Shop],
    providers: [Mail],
  })
  class App {}
  const tick = new Promise<void>((resolve) => (ticked = resolve));
  const app = await NestFactory.create(App, { logger: false, abortOnError: false });
  const options = { transport: Transport.REDIS, options: connection } as const;
  app.connectMicroservice(options, { inheritAppConfig: true });
  // Whatever is made while a request is served must not be part of its trace when it runs.
  const boot = tracer().startSpan('boot');
  await context.with(trace.setSpan(context.active(), boot), async () => {
    await app.startAllMicroservices();
    await app.init();
  });
  boot.end();

  const events = new QueueEvents('mail', { connection });
  await events.waitUntilReady();
  const queue = app.get<Queue>(getQueueToken('mail'));
  const client = ClientProxyFactory.create(tracedClient(options));
  const request = tracer().startSpan('request');
  await context.with(trace.setSpan(context.active(), request), async () => {
    const completed = once(events, 'completed');
    await queue.add('welcome', { secret: 'x' });
    await completed;
    const failed = once(events, 'failed');
    await queue.add('broken', { secret: 'x' });
    await failed;
    deepStrictEqual(await lastValueFrom(client.send('count', {})), 3);
  });
  request.end();
  await tick;
  await client.close();
  await events.close();
  await app.close();

  const spans = recorded.all;
  const isTick = (text: string): boolean => text.startsWith('INTERNAL cron');
  const { paths } = recorded;
  const hasHost = imports.length > 0;
  const sent = 'INTERNAL request > PRODUCER send';
  const broken = `CONSUMER process mail ERROR ${hasHost ? 'RangeError' : 'Error'}`;
  deepStrictEqual(
    paths.filter((text) => !isTick(text)),
    [
      'CONSUMER process mail',
      'CONSUMER process mail > INTERNAL query',
      broken,
      `${broken} > INTERNAL query`,
      'INTERNAL boot',
      'INTERNAL request',
      `${sent} count`,
      `${sent} count > CONSUMER process count`,
      `${sent} count > CONSUMER process count > INTERNAL query`,
      ...(hasTelemetry ? [`${sent} mail`, `${sent} mail`] : []),
    ],
  );
  deepStrictEqual(paths.some(isTick), hasHost);
  const jobs = spans.filter(({ name }) => name === 'process mail');
  deepStrictEqual(
    jobs.map(({ links }) => links.length),
    hasTelemetry ? [1, 1] : [0, 0],
  );
  deepStrictEqual(
    JSON.stringify(spans.map(({ attributes }) => attributes)).includes('secret'),
    false,
  );
  forgetSpans();
  return paths.filter((text) => !isTick(text));
}
