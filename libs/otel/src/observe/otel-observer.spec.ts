import { describe, expect, it } from '@jest/globals';
import { Host, type HostBuilder } from '@apix/hostx/core';
import { fakeClock, probeService } from '@apix/hostx/testing';
import { SpanStatusCode } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { prometheusHandler } from '../prometheus/prometheus-handler.js';
import { scrape } from '../scrape.fixture.js';
import { otelObserver } from './otel-observer.js';

function observed(): {
  readonly builder: HostBuilder;
  readonly clock: ReturnType<typeof fakeClock>;
  readonly exporter: InMemorySpanExporter;
  readonly samples: () => Promise<Record<string, number>>;
} {
  const { handler, meterProvider } = prometheusHandler();
  const exporter = new InMemorySpanExporter();
  const tracerProvider = new BasicTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(exporter)],
  });
  const clock = fakeClock();
  const builder = Host.builder()
    .withClock(clock)
    .withEnvironment('Test')
    .withObserver(otelObserver({ meterProvider, tracerProvider }));
  return { builder, clock, exporter, samples: () => scrape(handler) };
}

const endOf = (run: Promise<void>): Promise<string> =>
  run.then(
    () => 'nil',
    (error: Error) => error.message,
  );

describe('the observer', () => {
  it('has hostx.host.up at 1 while the host runs, and at 0 before and after', async () => {
    const { builder, samples } = observed();
    const host = builder.addService(probeService('a', [])).build();
    expect((await samples())['hostx_host_up']).toBe(0);
    const run = host.runContext();
    await host.started;
    expect((await samples())['hostx_host_up']).toBe(1);
    host.shutdown();
    await run;
    expect((await samples())['hostx_host_up']).toBe(0);
  });

  it('counts restarts, those that were asked for and failures for each service, from 0 on', async () => {
    const { builder, clock, samples } = observed();
    let fail: (error: Error) => void = () => {};
    const flaky = {
      name: 'flaky',
      start: () => new Promise<void>((_, reject) => (fail = reject)),
    };
    const host = builder
      .addService(probeService('a', []))
      .addService(flaky, { restart: { initialDelay: '1s', maxAttempts: 1 } })
      .build();
    const run = endOf(host.runContext());
    await host.started;
    await host.restartService('a');
    expect(await samples()).toMatchObject({
      'hostx_service_asked_restarts_total{service="a"}': 1,
      'hostx_service_asked_restarts_total{service="flaky"}': 0,
      'hostx_service_restarts_total{service="a"}': 0,
      'hostx_service_restarts_total{service="flaky"}': 0,
      'hostx_service_failures_total{service="flaky"}': 0,
    });
    fail(new Error('once'));
    await clock.advance(1_000);
    fail(new Error('twice'));
    expect(await run).toContain('flaky');
    expect(await samples()).toMatchObject({
      'hostx_service_restarts_total{service="a"}': 0,
      'hostx_service_failures_total{service="a"}': 0,
      'hostx_service_restarts_total{service="flaky"}': 1,
      'hostx_service_failures_total{service="flaky"}': 1,
    });
  });

  it('measures each stop in seconds, with how it ended, and makes a span of it', async () => {
    const { builder, clock, exporter, samples } = observed();
    const slow = new Promise<void>((resolve) => void clock.after(300, resolve));
    const host = builder
      .withShutdownTimeout('10s')
      .addService(probeService('stuck', [], { stop: () => new Promise(() => {}) }))
      .addService(probeService('broken', [], { stop: () => Promise.reject(new Error('no')) }))
      .addService(probeService('slow', [], { stop: () => slow }))
      .build();
    const run = endOf(host.runContext());
    await host.started;
    host.shutdown();
    await clock.advance(300);
    await clock.advance(10_000);
    await run;
    const found = await samples();
    const name = 'hostx_service_stop_duration';
    expect(found).toMatchObject({
      [`${name}_count{service="slow",outcome="stopped"}`]: 1,
      [`${name}_sum{service="slow",outcome="stopped"}`]: 0.3,
      [`${name}_bucket{service="slow",outcome="stopped",le="0.25"}`]: 0,
      [`${name}_bucket{service="slow",outcome="stopped",le="0.5"}`]: 1,
      [`${name}_count{service="broken",outcome="failed"}`]: 1,
      [`${name}_count{service="stuck",outcome="abandoned"}`]: 1,
    });
    const spans = exporter
      .getFinishedSpans()
      .map(({ name, attributes, status }) => [name, attributes['service'], status.code]);
    expect(spans).toEqual([
      ['hostx.service.stop', 'slow', SpanStatusCode.UNSET],
      ['hostx.service.stop', 'broken', SpanStatusCode.ERROR],
      ['hostx.service.stop', 'stuck', SpanStatusCode.ERROR],
    ]);
  });
});
