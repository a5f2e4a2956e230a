import { afterEach, describe, expect, it } from '@jest/globals';
import { WORK_SCOPE, type WorkScope, activeTrace } from '@apix/contracts';
import { discoverMarked } from '@apix/contracts/nest';
import { type DynamicModule, Module } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService, NestFactory } from '@nestjs/core';
import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  InMemorySpanExporter,
  SimpleSpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { MetricsModule } from '../metrics.module.js';
import type { TracingModuleOptions } from './tracing-module-options.js';
import { TracingModule } from './tracing.module.js';

async function appWith(options: TracingModuleOptions, imports: DynamicModule[] = []) {
  @Module({ imports: [DiscoveryModule, TracingModule.forRoot(options), ...imports] })
  class App {}
  return NestFactory.createApplicationContext(App, { logger: false, abortOnError: false });
}

afterEach(() => {
  trace.disable();
  context.disable();
  propagation.disable();
});

describe('the tracing module', () => {
  it('sets up tracing in a process that has nothing, and takes it back', async () => {
    const exporter = new InMemorySpanExporter();
    const kept: string[] = [];
    exporter.shutdown = async () =>
      void kept.push(...exporter.getFinishedSpans().map((s) => s.name));
    const app = await appWith({ exporter });
    const ids = trace.getTracer('app').startActiveSpan('query', (span) => {
      span.end();
      return activeTrace();
    });
    expect(ids?.traceId).toMatch(/^[\da-f]{32}$/);
    expect(propagation.fields()).toEqual(['traceparent', 'tracestate', 'baggage']);
    await app.close();
    expect(kept).toEqual(['query']);
    expect(propagation.fields()).toEqual([]);
    expect(activeTrace()).toBeUndefined();
  });

  it('leaves what the app has registered where it is', async () => {
    const exporter = new InMemorySpanExporter();
    const own = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
    const manager = new AsyncLocalStorageContextManager();
    trace.setGlobalTracerProvider(own);
    context.setGlobalContextManager(manager);
    propagation.setGlobalPropagator({ inject() {}, extract: (ctx) => ctx, fields: () => ['b3'] });
    const app = await appWith({ exporter: new InMemorySpanExporter() });
    trace.getTracer('app').startSpan('query').end();
    await app.close();
    expect(exporter.getFinishedSpans().map(({ name }) => name)).toEqual(['query']);
    expect(propagation.fields()).toEqual(['b3']);
    expect(context.with(context.active(), () => 1)).toBe(1);
  });

  it('gives work one scope, also together with the module of metrics', async () => {
    const app = await appWith({}, [MetricsModule.forRoot({ path: false })]);
    const scopes = discoverMarked<WorkScope>(app.get(DiscoveryService), WORK_SCOPE);
    expect(scopes).toHaveLength(1);
    await app.close();
  });

  it('refuses to export what a provider of the app makes', async () => {
    const options = { tracerProvider: new TracerProvider(), exporter: new InMemorySpanExporter() };
    await expect(appWith(options)).rejects.toThrow(
      'otel: exporter: cannot be combined with tracerProvider, which has its own',
    );
  });
});
