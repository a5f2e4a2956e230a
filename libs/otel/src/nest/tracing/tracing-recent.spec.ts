import { afterEach, describe, expect, it } from '@jest/globals';
import {
  SERVED_REQUESTS,
  type ServedRequests,
  TRACE_SOURCE,
  type TraceSource,
} from '@apix/contracts';
import { discoverMarked } from '@apix/contracts/nest';
import { Module, type Provider } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService, NestFactory } from '@nestjs/core';
import { context, propagation, trace } from '@opentelemetry/api';
import { InMemorySpanExporter, TracerProvider } from '@opentelemetry/sdk-trace';
import { RecentTraces } from '../../recent/recent-traces.js';
import { Tracing } from '../../tracing/tracing.js';
import type { TracingModuleOptions } from './tracing-module-options.js';
import { TracingModule } from './tracing.module.js';

async function appWith(options: TracingModuleOptions, providers: Provider[] = []) {
  @Module({ imports: [DiscoveryModule, TracingModule.forRoot(options)], providers })
  class App {}
  return NestFactory.createApplicationContext(App, { logger: false, abortOnError: false });
}

afterEach(() => {
  trace.disable();
  context.disable();
  propagation.disable();
});

/** What sources of the app keep of one request. */
async function kept(options: TracingModuleOptions, providers: Provider[] = []) {
  const app = await appWith(options, providers);
  try {
    trace.getTracer('app').startSpan('GET /').end();
    const sources = discoverMarked<TraceSource>(app.get(DiscoveryService), TRACE_SOURCE);
    return sources.map((source) => source.traces().map(({ name }) => name));
  } finally {
    await app.close();
  }
}

it('offers the requests that end, once, to those who follow them', async () => {
  const app = await appWith({});
  try {
    const sources = discoverMarked<ServedRequests>(app.get(DiscoveryService), SERVED_REQUESTS);
    expect(sources).toEqual([app.get(Tracing).requests]);
  } finally {
    await app.close();
  }
});

describe('the tracing module keeps recent traces', () => {
  it.each<[string, () => TracingModuleOptions, string[][]]>([
    ['with an exporter', () => ({ exporter: new InMemorySpanExporter() }), [['GET /']]],
    ['without one, where that is wanted', () => ({ recent: { traces: 5 } }), [['GET /']]],
    ['not if not', () => ({ exporter: new InMemorySpanExporter(), recent: false }), []],
    ['not where it exports nothing', () => ({}), []],
  ])('%s', async (_, options, names) => {
    expect(await kept(options())).toEqual(names);
  });

  it('of a provider of the app, which has it as a processor', async () => {
    const recent = new RecentTraces();
    const tracerProvider = new TracerProvider({ spanProcessors: [recent] });
    trace.setGlobalTracerProvider(tracerProvider);
    const providers = [{ provide: RecentTraces, useValue: recent }];
    expect(await kept({ tracerProvider }, providers)).toEqual([['GET /']]);
  });

  it('not of one that has its own processors', async () => {
    await expect(appWith({ tracerProvider: new TracerProvider(), recent: {} })).rejects.toThrow(
      'otel: recent: cannot be combined with tracerProvider; give it a RecentTraces as a span processor',
    );
  });
});
