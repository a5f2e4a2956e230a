import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { activeTrace } from '@apix/contracts';
import { Host } from '@apix/hostx/core';
import { openTracing, otelObserver, prometheusHandler } from '@apix/otel/core';
import { createLogger, ctx, runWithLogger } from '@apix/logx/core';
import { addTraceFields, type OtelLoggerProvider, otelSink } from '@apix/logx-otel';
import * as api from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  InMemoryLogRecordExporter,
  LoggerProvider,
  SimpleLogRecordProcessor,
} from '@opentelemetry/sdk-logs';
import { InMemorySpanExporter, type ReadableSpan } from '@opentelemetry/sdk-trace';
import { GrpcCollector, HttpCollector } from '../../libs/logx-otel/src/stub-collector.fixture.js';

/** What both lines have to do alike; a process of its own for each. */

interface LogsApi {
  setGlobalLoggerProvider(provider: OtelLoggerProvider): unknown;
}

/** In 3.x a part of the API, in 2.x a package. */
async function logsApi(): Promise<LogsApi> {
  const { logs } = api as { readonly logs?: LogsApi };
  return logs ?? (await import('@opentelemetry/api-logs')).logs;
}

async function endpoint(protocol: 'grpc' | 'http'): Promise<void> {
  const collector = await (protocol === 'grpc' ? GrpcCollector : HttpCollector).start();
  const errors: string[] = [];
  const sink = otelSink({
    endpoint: collector.endpoint,
    protocol,
    insecure: true,
    headers: { 'x-tenant': 'blue' },
    attributes: { env: 'test' },
    queueSize: 10,
    batchSize: 5,
    onError: ({ message }) => void errors.push(message),
  });
  const logger = createLogger({ sinks: [sink] });
  const ids = { trace_id: '1'.repeat(32), span_id: '2'.repeat(16) };
  for (let i = 0; i < 15; i++) logger.forContextValues(ids).information('Event {I}', i);
  await logger.flush();
  assert.equal(collector.records.length, 10);
  const [first] = collector.records;
  assert.equal(first!.body!['stringValue'], 'Event 0');
  assert.deepEqual(first!.attributes, {
    env: { stringValue: 'test' },
    I: { intValue: '0' },
    'log.template': { stringValue: 'Event {I}' },
  });
  assert.deepEqual([first!.traceId, first!.spanId], [ids.trace_id, ids.span_id]);
  assert.equal(collector.headers[0]!['x-tenant'], 'blue');

  collector.answer = () => ({ kind: 'take', rejected: 1 });
  logger.information('one');
  logger.information('two');
  await logger.flush();
  collector.answer = () => ({ kind: 'refuse', http: 401, grpc: 16 });
  logger.information('three');
  await logger.close();
  const { logged, sent, failed, dropped, queued } = sink.stats();
  assert.deepEqual([logged, sent, failed, dropped, queued], [18, 11, 2, 5, 0]);
  assert.equal(errors.length, 3, errors.join('\n'));
  await collector.stop();
  console.log(`  ok  OTLP over ${protocol}: records, headers, drops, rejections, failures`);
}

async function globalProvider(): Promise<void> {
  const exporter = new InMemoryLogRecordExporter();
  const sink = otelSink();
  const logger = createLogger({ sinks: [sink] });
  logger.information('too early');
  const processors = [new SimpleLogRecordProcessor({ exporter })];
  (await logsApi()).setGlobalLoggerProvider(new LoggerProvider({ processors }));
  logger.information('in time');
  const bodies = exporter.getFinishedLogRecords().map(({ body }) => body);
  assert.deepEqual(bodies, ['in time']);
  assert.equal(sink.stats().dropped, 1);
  console.log('  ok  the global provider, registered late');
}

function traceFields(): void {
  api.context.setGlobalContextManager(new AsyncLocalStorageContextManager());
  const exporter = new InMemoryLogRecordExporter();
  const provider = new LoggerProvider({ processors: [new SimpleLogRecordProcessor({ exporter })] });
  addTraceFields();
  const logger = createLogger({ sinks: [otelSink({ provider })] });
  const span = { traceId: '3'.repeat(32), spanId: '4'.repeat(16), traceFlags: 1 };
  api.context.with(api.trace.setSpanContext(api.context.active(), span), () => {
    runWithLogger(logger, () => ctx().information('in a span'));
  });
  assert.deepEqual(exporter.getFinishedLogRecords()[0]!.spanContext, span);
  console.log('  ok  the trace context of the active span');
}

async function metrics(): Promise<void> {
  const { handler, meterProvider } = prometheusHandler();
  const host = Host.builder()
    .withObserver(otelObserver({ meterProvider }))
    .addService({
      name: 'outbox',
      start: (signal) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
    })
    .build();
  const running = host.runContext();
  await host.started;
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const page = async (): Promise<string> =>
    (await fetch(url, { headers: { connection: 'close' } })).text();
  assert.match(await page(), /^hostx_host_up\{.*\} 1$/m);
  host.shutdown();
  await running;
  assert.match(await page(), /^hostx_service_stop_duration_count\{.*service="outbox".*\} 1$/m);
  server.close();
  await meterProvider.shutdown();
  console.log('  ok  metrics of the host for Prometheus');
}

/** Before anything else has set up a context manager: everything is set up, and taken back. */
async function tracing(): Promise<void> {
  const exporter = new InMemorySpanExporter();
  const sent: ReadableSpan[] = [];
  const keep = exporter.export.bind(exporter);
  exporter.export = (spans, answer) => {
    sent.push(...spans);
    keep(spans, answer);
  };
  process.env['OTEL_SERVICE_NAME'] = 'lines';
  const opened = await openTracing({ exporter, sampleRatio: 0.5 });
  const caller = { traceId: '5'.repeat(32), spanId: '6'.repeat(16), traceFlags: 1 };
  const outer = api.trace.setSpanContext(api.context.active(), caller);
  const span = opened.tracing.tracer.startSpan('work', {}, outer);
  const carrier: Record<string, string> = {};
  const ids = opened.tracing.within(outer, span, () => {
    api.propagation.inject(api.context.active(), carrier);
    return activeTrace();
  });
  span.end();
  await opened.close();
  assert.equal(ids?.traceId, caller.traceId);
  assert.equal(carrier['traceparent'], `00-${caller.traceId}-${ids.spanId}-01`);
  assert.deepEqual(
    sent.map(({ name, resource }) => [name, resource.attributes['service.name']]),
    [['work', 'lines']],
  );
  assert.deepEqual(api.propagation.fields(), []);
  assert.equal(activeTrace(), undefined);
  console.log('  ok  spans: set up, sampled, sent, and taken back');
}

async function main(): Promise<void> {
  await tracing();
  await endpoint('http');
  await endpoint('grpc');
  await globalProvider();
  traceFields();
  await metrics();
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
