import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { context, propagation, trace } from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  type SpanExporter,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { OtelError } from '../errors.js';
import { hasContextManager } from './provider/shared-globals.js';
import { type OpenTracing, openTracing } from './open-tracing.js';
import type { OpenTracingOptions } from './tracing-options.js';

/** Keeps what it was sent, also when it is shut down. */
class KeepingExporter extends InMemorySpanExporter {
  readonly kept: ReadableSpan[] = [];
  shutdowns = 0;
  override export(...args: Parameters<SpanExporter['export']>): void {
    this.kept.push(...args[0]);
    super.export(...args);
  }
  override shutdown(): Promise<void> {
    this.shutdowns++;
    return super.shutdown();
  }
  get names(): string[] {
    return this.kept.map(({ name }) => name);
  }
}

type Export = SpanExporter['export'];

/** Does with spans what a test wants. */
function exporterOf(work: Export): SpanExporter & { shutdowns: number } {
  return {
    shutdowns: 0,
    export: work,
    async shutdown() {
      this.shutdowns++;
    },
  };
}

const opened: OpenTracing[] = [];
const reported: string[] = [];
const ENVIRONMENT = [
  'OTEL_SDK_DISABLED',
  'OTEL_SERVICE_NAME',
  'OTEL_RESOURCE_ATTRIBUTES',
  'OTEL_TRACES_SAMPLER',
  'OTEL_PROPAGATORS',
  'OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT',
];

async function open(options: OpenTracingOptions): Promise<OpenTracing> {
  const one = await openTracing({ report: (problem) => void reported.push(problem), ...options });
  opened.push(one);
  return one;
}

function span({ tracing }: OpenTracing, name: string): void {
  tracing.tracer.startSpan(name).end();
}

beforeEach(() => {
  reported.length = 0;
});

afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
  for (const name of ENVIRONMENT) delete process.env[name];
  trace.disable();
  context.disable();
  propagation.disable();
});

describe('openTracing', () => {
  it('sends what is left at the end, and takes back what it has set up', async () => {
    const exporter = new KeepingExporter();
    const tracing = await open({ exporter });
    span(tracing, 'a');
    expect(hasContextManager()).toBe(true);
    await Promise.all([tracing.close(), tracing.close()]);
    expect([exporter.names, exporter.shutdowns]).toEqual([['a'], 1]);
    expect([hasContextManager(), propagation.fields()]).toEqual([false, []]);
    await tracing.flush();
  });

  it('passes each span to processors of the app', async () => {
    const exporter = new KeepingExporter();
    const tracing = await open({ processors: [new SimpleSpanProcessor({ exporter })] });
    span(tracing, 'a');
    await tracing.close();
    expect([exporter.names, exporter.shutdowns]).toEqual([['a'], 1]);
  });

  it.each<[string, OpenTracingOptions, Record<string, string>, string]>([
    ['its option', { serviceName: 'shop' }, { OTEL_SERVICE_NAME: 'env' }, 'shop'],
    [
      'the resource',
      { resource: resourceFromAttributes({ 'service.name': 'given' }) },
      { OTEL_SERVICE_NAME: 'env' },
      'given',
    ],
    ['OTEL_SERVICE_NAME', {}, { OTEL_SERVICE_NAME: 'env' }, 'env'],
    ['OTEL_RESOURCE_ATTRIBUTES', {}, { OTEL_RESOURCE_ATTRIBUTES: 'service.name=attr' }, 'attr'],
  ])('names the app after %s', async (_, options, environment, name) => {
    Object.assign(process.env, environment);
    const exporter = new KeepingExporter();
    const tracing = await open({ exporter, ...options });
    span(tracing, 'a');
    await tracing.close();
    const { attributes } = exporter.kept[0]!.resource;
    expect(attributes['service.name']).toBe(name);
    expect(attributes['telemetry.sdk.language']).toBe('nodejs');
  });

  it('records the configured share of traces, and those that a caller has sampled', async () => {
    const exporter = new KeepingExporter();
    const tracing = await open({ exporter, sampleRatio: 0 });
    span(tracing, 'own');
    const caller = {
      traceId: '1'.repeat(32),
      spanId: '2'.repeat(16),
      traceFlags: 1,
      isRemote: true,
    };
    const outer = trace.setSpanContext(context.active(), caller);
    tracing.tracing.tracer.startSpan('sampled', {}, outer).end();
    await tracing.close();
    expect(exporter.names).toEqual(['sampled']);
  });

  it.each<[string, OpenTracingOptions, string[]]>([
    ['OTEL_TRACES_SAMPLER, without options', {}, []],
    ['sampleRatio', { sampleRatio: 1 }, ['a']],
    ['sampler', { sampler: new AlwaysOnSampler() }, ['a']],
  ])('samples by %s', async (_, options, names) => {
    process.env['OTEL_TRACES_SAMPLER'] = 'always_off';
    const exporter = new KeepingExporter();
    const tracing = await open({ exporter, ...options });
    span(tracing, 'a');
    await tracing.close();
    expect(exporter.names).toEqual(names);
  });

  it('reads propagators and limits of the environment', async () => {
    process.env['OTEL_PROPAGATORS'] = 'baggage';
    process.env['OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT'] = '3';
    const exporter = new KeepingExporter();
    const tracing = await open({ exporter });
    expect(propagation.fields()).toEqual(['baggage']);
    tracing.tracing.tracer.startSpan('a', { attributes: { text: 'abcd' } }).end();
    await tracing.close();
    expect(exporter.kept[0]!.attributes).toEqual({ text: 'abc' });
    expect(propagation.fields()).toEqual([]);
  });

  it('makes no spans with OTEL_SDK_DISABLED, and passes traces on', async () => {
    process.env['OTEL_SDK_DISABLED'] = 'true';
    const exporter = new KeepingExporter();
    const tracing = await open({ exporter });
    span(tracing, 'a');
    const carrier: Record<string, string> = {};
    const caller = { traceId: '1'.repeat(32), spanId: '2'.repeat(16), traceFlags: 1 };
    propagation.inject(trace.setSpanContext(context.active(), caller), carrier);
    await tracing.close();
    expect(carrier['traceparent']).toBe(`00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`);
    expect([exporter.names, exporter.shutdowns]).toEqual([[], 1]);
  });

  it.each<[string, OpenTracingOptions, string]>([
    [
      'two samplers',
      { exporter: new InMemorySpanExporter(), sampleRatio: 1, sampler: new AlwaysOnSampler() },
      'otel: sampleRatio: cannot be combined with sampler, which decides by itself',
    ],
    [
      'a ratio of 2',
      { exporter: new InMemorySpanExporter(), sampleRatio: 2 },
      'otel: sampleRatio: must be ',
    ],
    [
      'no name',
      { exporter: new InMemorySpanExporter(), serviceName: ' ' },
      'otel: serviceName: must not be empty',
    ],
    [
      'a word',
      { exporter: 'otlp' as never },
      'otel: exporter: "otlp" is not an exporter; pass an object',
    ],
    [
      'an empty object',
      { exporter: {} as never },
      'otel: exporter: must be a span exporter, with the method export',
    ],
    [
      'a time of nothing',
      { exporter: new InMemorySpanExporter(), shutdownTimeout: '5' },
      'otel: shutdownTimeout: ',
    ],
    [
      'what nothing is made of',
      { serviceName: 'shop' },
      'otel: serviceName: needs an exporter or processors; the global provider has its own',
    ],
    [
      'two providers',
      { tracerProvider: new TracerProvider(), sampleRatio: 1 },
      'otel: sampleRatio: cannot be combined with tracerProvider, which has its own',
    ],
  ])('refuses %s', async (_, options, message) => {
    const refused = openTracing(options);
    await expect(refused).rejects.toThrow(OtelError);
    await expect(refused).rejects.toThrow(message);
  });
});

describe('an exporter that fails', () => {
  it('is reported once, and again after a success', async () => {
    let isDown = true;
    const exporter = exporterOf((_, answer) => {
      if (isDown) answer({ code: 1, error: new Error('refused') });
      else answer({ code: 0 });
    });
    const tracing = await open({ exporter });
    const send = async (): Promise<number> => {
      span(tracing, 'a');
      await tracing.flush();
      return reported.length;
    };
    expect([await send(), await send()]).toEqual([1, 1]);
    isDown = false;
    expect(await send()).toBe(1);
    isDown = true;
    expect(await send()).toBe(2);
    expect(reported[0]).toBe(
      'otel: 1 span(s) were not exported: refused; further failures are not reported until one succeeds',
    );
    await tracing.close();
    expect(exporter.shutdowns).toBe(1);
  });

  it('may throw, and answer twice', async () => {
    const exporter = exporterOf((_, answer) => {
      answer({ code: 0 });
      answer({ code: 1 });
      throw new Error('odd');
    });
    const tracing = await open({ exporter });
    span(tracing, 'a');
    await tracing.close();
    expect(reported).toEqual([]);
  });

  it('holds the end up no longer than the timeout, in one line', async () => {
    const exporter = exporterOf(() => {});
    const tracing = await open({ exporter, shutdownTimeout: 20 });
    span(tracing, 'a');
    await tracing.close();
    expect(reported).toEqual(['otel: spans were not exported within 20 ms; at least 1 are lost']);
    expect(exporter.shutdowns).toBe(1);
  });

  it('that does not shut down holds the end up for one timeout, not two', async () => {
    const exporter = exporterOf((_spans, answer) => answer({ code: 0 }));
    exporter.shutdown = () => new Promise(() => {});
    const tracing = await open({ exporter, shutdownTimeout: 400 });
    span(tracing, 'a');
    const start = performance.now();
    await tracing.close();
    expect(performance.now() - start).toBeLessThan(700);
  });
});

describe('several in one process', () => {
  it('share what is global until the last one closes', async () => {
    const [first, second] = [new KeepingExporter(), new KeepingExporter()];
    const one = await open({ exporter: first });
    const two = await open({ exporter: second });
    trace.getTracer('app').startSpan('to the first').end();
    span(two, 'to the second');
    await one.close();
    expect(hasContextManager()).toBe(true);
    trace.getTracer('app').startSpan('to the second, too').end();
    await two.close();
    expect([first.names, second.names]).toEqual([
      ['to the first'],
      ['to the second', 'to the second, too'],
    ]);
    expect(hasContextManager()).toBe(false);
  });

  it('leave what somebody else has put there since', async () => {
    const tracing = await open({ exporter: new KeepingExporter() });
    trace.disable();
    const own = new TracerProvider();
    trace.setGlobalTracerProvider(own);
    propagation.disable();
    propagation.setGlobalPropagator({ inject() {}, extract: (ctx) => ctx, fields: () => ['b3'] });
    await tracing.close();
    expect((trace.getTracerProvider() as unknown as { getDelegate(): object }).getDelegate()).toBe(
      own,
    );
    expect(propagation.fields()).toEqual(['b3']);
  });

  it('leave the spans of an app on its own provider, also one that is set later', async () => {
    const tracing = await open({});
    const exporter = new KeepingExporter();
    trace.setGlobalTracerProvider(
      new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }),
    );
    span(tracing, 'a');
    await tracing.close();
    expect([exporter.names, exporter.shutdowns]).toEqual([['a'], 0]);
  });
});
