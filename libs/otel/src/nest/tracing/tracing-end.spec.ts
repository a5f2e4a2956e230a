import 'reflect-metadata';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { HostedService, HostxModule, OnStopped } from '@apix/hostx';
import { startHost } from '@apix/hostx/testing';
import {
  Controller,
  type DynamicModule,
  Get,
  Inject,
  Injectable,
  Module,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { context, propagation, trace } from '@opentelemetry/api';
import { InMemorySpanExporter, type SpanExporter } from '@opentelemetry/sdk-trace';
import { tracedProviders } from '../../providers/traced-providers.js';
import { Tracing } from '../../tracing/tracing.js';
import { MetricsModule } from '../metrics.module.js';
import { TracingModule } from './tracing.module.js';

jest.setTimeout(120_000);

/** What it was sent, and when it was shut down. */
class Journal extends InMemorySpanExporter {
  readonly lines: string[] = [];
  override export(...args: Parameters<SpanExporter['export']>): void {
    this.lines.push(...args[0].map(({ name }) => name));
    super.export(...args);
  }
  override shutdown(): Promise<void> {
    this.lines.push('shut down');
    return super.shutdown();
  }
}

@HostedService({ name: 'outbox' })
class Outbox implements OnApplicationShutdown {
  constructor(@Inject(Tracing) private readonly tracing: Tracing) {}
  start(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
  }
  @OnStopped() stopped(): void {
    this.tracing.tracer.startSpan('stopped hook').end();
  }
  onApplicationShutdown(): void {
    this.tracing.tracer.startSpan('shutdown hook').end();
  }
}

@Injectable()
class Settings {
  constructor() {
    this.exporter = Settings.next;
  }
  static next = new Journal();
  readonly exporter: Journal;
}

@Module({ providers: [Settings], exports: [Settings] })
class SettingsModule {}

function tracingWith(exporter: Journal): DynamicModule {
  Settings.next = exporter;
  return TracingModule.forRootAsync({
    imports: [SettingsModule],
    inject: [Settings],
    useFactory: (settings: Settings) => ({ exporter: settings.exporter, serviceName: 'shop' }),
  });
}

afterEach(() => {
  trace.disable();
  context.disable();
  propagation.disable();
});

describe('the end of an app with TracingModule', () => {
  it('sends the spans of the stop under a host, and closes after everything else', async () => {
    const exporter = new Journal();
    @Module({
      imports: [
        HostxModule.forRoot({ logger: null, drain: { delay: 0 } }),
        tracingWith(exporter),
        MetricsModule.forRoot({ path: false }),
      ],
      providers: [Outbox],
    })
    class App {}
    const { stop } = await startHost(App);
    await stop();
    expect(exporter.lines.at(-1)).toBe('shut down');
    expect(exporter.lines).toEqual(
      expect.arrayContaining(['hostx.service.stop', 'stopped hook', 'shutdown hook']),
    );
    expect(propagation.fields()).toEqual([]);
  });

  it('sends what the last request did without a host, also when it is closed twice', async () => {
    const exporter = new Journal();
    @Controller()
    class Reports {
      constructor(@Inject(Tracing) private readonly tracing: Tracing) {}
      @Get()
      show(): string {
        const span = this.tracing.tracer.startSpan('request');
        return this.tracing.within(context.active(), span, () => {
          const text = this.text();
          span.end();
          return text;
        });
      }
      text(): string {
        return 'report';
      }
    }
    @Module({ imports: [tracingWith(exporter)], controllers: [Reports] })
    class App {}
    const app = await NestFactory.create(App, {
      logger: false,
      abortOnError: false,
      instrument: tracedProviders({ classes: [Reports], methods: (name) => name === 'text' }),
    });
    await app.listen(0, '127.0.0.1');
    expect(await (await fetch(await app.getUrl())).text()).toBe('report');
    await app.close();
    await app.close();
    expect(exporter.lines).toEqual(['Reports.text', 'request', 'GET /', 'shut down']);
    expect(propagation.fields()).toEqual([]);
  });
});
