import { createServer } from 'node:http';
import { expect, it } from '@jest/globals';
import { bullmqTelemetry } from './bullmq/bullmq-telemetry.js';
import { clientTracing } from './grpc/client-tracing.js';
import { traceStage } from './grpc/trace-stage.js';
import { HttpTraceDoor, traceServer } from './http/http-trace-door.js';
import { tracedClient } from './microservices/traced-client.js';
import { otelObserver } from './observe/otel-observer.js';
import { prometheusHandler } from './prometheus/prometheus-handler.js';
import { tracedProviders } from './providers/traced-providers.js';
import { Traced } from './providers/traced.js';
import { RecentTraces } from './recent/recent-traces.js';
import { SourceMeters } from './sources/source-meters.js';
import { openTracing } from './tracing/open-tracing.js';
import { Tracing } from './tracing/tracing.js';

const tracing = new Tracing();

class Shop {
  order(): void {}
}

it.each<[string, (options: object) => unknown, string, string]>([
  ['Tracing', (options) => new Tracing(options), 'tracerProvder', 'tracerProvider'],
  ['openTracing', (options) => openTracing(options), 'sampleRate', 'sampleRatio'],
  ['traceStage', (options) => traceStage(tracing, options), 'skips', 'skip'],
  ['clientTracing', (options) => clientTracing(tracing, options), 'meterPovider', 'meterProvider'],
  [
    'HttpTraceDoor',
    (options) => new HttpTraceDoor({ tracing, options }),
    'capture',
    'captureHeaders',
  ],
  ['traceServer', (init) => traceServer(createServer(), { tracing, ...init }), 'meters', 'meter'],
  ['tracedClient', (traced) => tracedClient({}, traced), 'natsHeader', 'natsHeaders'],
  ['bullmqTelemetry', (options) => bullmqTelemetry(options), 'job', 'jobs'],
  ['otelObserver', (options) => otelObserver(options), 'tracerprovider', 'tracerProvider'],
  ['prometheusHandler', (options) => prometheusHandler(options), 'view', 'views'],
  ['RecentTraces', (options) => new RecentTraces(options), 'windows', 'window'],
  ['SourceMeters', (options) => new SourceMeters(() => [], options), 'excepts', 'except'],
  ['tracedProviders', (options) => tracedProviders(options), 'class', 'classes'],
  [
    'Traced',
    (options) =>
      Traced(options)(
        Shop.prototype,
        'order',
        Object.getOwnPropertyDescriptor(Shop.prototype, 'order')!,
      ),
    'atributes',
    'attributes',
  ],
])('%s refuses an option that it does not know', async (_, use, misspelt, meant) => {
  await expect(async () => use({ [misspelt]: true })).rejects.toThrow(
    `${misspelt}: is not known here; did you mean ${meant}?`,
  );
});
