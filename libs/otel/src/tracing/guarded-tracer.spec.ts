import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import {
  DiagLogLevel,
  ROOT_CONTEXT,
  defaultTextMapGetter,
  defaultTextMapSetter,
  diag,
  propagation,
} from '@opentelemetry/api';
import { type Sampler, type SpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { traceServer } from '../http/http-trace-door.js';
import { SpanScope } from '../spans/span-scope.js';
import { Tracing } from './tracing.js';

const broken = (): never => {
  throw new Error('broken');
};

const QUIET: SpanProcessor = {
  onStart() {},
  onEnd() {},
  forceFlush: async () => {},
  shutdown: async () => {},
};

/** What an app may have given its provider, and what is said of it for one span. */
const BROKEN: readonly (readonly [string, TracerProvider, string])[] = [
  [
    'a sampler',
    new TracerProvider({ sampler: { shouldSample: broken } satisfies Sampler }),
    'otel: no span was begun for cron sweep',
  ],
  [
    'a processor at the start',
    new TracerProvider({ spanProcessors: [{ ...QUIET, onStart: broken }] }),
    'otel: no span was begun for cron sweep',
  ],
  [
    'a processor at the end',
    new TracerProvider({ spanProcessors: [{ ...QUIET, onEnd: broken }] }),
    'otel: a span processor has failed',
  ],
];

let said: string[] = [];

beforeEach(() => {
  said = [];
  const error = (message: string): void => void said.push(message);
  const silent = (): void => {};
  const log = { error, warn: silent, info: silent, debug: silent, verbose: silent };
  diag.setLogger(log, { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true });
});

afterEach(() => diag.disable());

it.each(BROKEN)(
  '%s that throws costs a span, and not the work',
  async (_, tracerProvider, saying) => {
    const scope = new SpanScope(new Tracing({ tracerProvider }));
    expect(scope.run('cron', 'sweep', () => 7)).toBe(7);
    await expect(scope.run('cron', 'sweep', async () => 8)).resolves.toBe(8);
    // A rejection that nobody handles would be reported in this turn.
    await new Promise((resolve) => setImmediate(resolve));
    expect(said).toEqual([saying, saying]);
  },
);

it.each(BROKEN)('%s that throws costs a span, and not the request', async (_, tracerProvider) => {
  const server = createServer((_req, res) => void res.end('fine'));
  traceServer(server, { tracing: new Tracing({ tracerProvider }) });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } });
    expect([response.status, await response.text()]).toEqual([200, 'fine']);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
  expect(said).toHaveLength(1);
});

it('a log of OpenTelemetry that throws costs a line, and not the work', async () => {
  diag.setLogger(
    { error: broken, warn: broken, info: broken, debug: broken, verbose: broken },
    { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true },
  );
  for (const [, tracerProvider] of BROKEN) {
    const scope = new SpanScope(new Tracing({ tracerProvider }));
    expect(scope.run('cron', 'sweep', () => 7)).toBe(7);
  }
});

it('a propagator that throws costs what a caller says, and what is said to others', () => {
  propagation.setGlobalPropagator({ inject: broken, extract: broken, fields: () => [] });
  try {
    const tracing = new Tracing();
    expect(tracing.received({}, defaultTextMapGetter)).toBe(ROOT_CONTEXT);
    const headers = {};
    tracing.send(ROOT_CONTEXT, headers, defaultTextMapSetter);
    expect(headers).toEqual({});
  } finally {
    propagation.disable();
  }
  expect(said).toEqual([
    'otel: the propagator has failed to read a trace',
    'otel: the propagator has failed to write a trace',
  ]);
});
