import { afterEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '@apix/logx/core';
import { context, trace } from '@opentelemetry/api';
import { logs } from '@opentelemetry/api-logs';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  InMemoryLogRecordExporter,
  LoggerProvider,
  SimpleLogRecordProcessor,
} from '@opentelemetry/sdk-logs';
import { type OtelSink, otelSink } from './otel-sink.js';

function memory() {
  const exporter = new InMemoryLogRecordExporter();
  const provider = new LoggerProvider({ processors: [new SimpleLogRecordProcessor({ exporter })] });
  return {
    provider,
    bodies: () => exporter.getFinishedLogRecords().map(({ body }) => body),
    exporter,
  };
}

describe('a sink with a provider', () => {
  it('gives it the records, and leaves it open when it is closed', async () => {
    const { provider, exporter, bodies } = memory();
    const sink = otelSink({ provider, scopeName: 'my.scope', attributes: { env: 'test' } });
    const logger = createLogger({ sinks: [sink] });
    logger.error(new Error('boom'), 'No {What}', 'luck');
    await logger.close();
    const [record] = exporter.getFinishedLogRecords();
    expect(record).toMatchObject({
      body: 'No luck',
      severityNumber: 17,
      severityText: 'ERROR',
      instrumentationScope: { name: 'my.scope' },
      attributes: {
        env: 'test',
        What: 'luck',
        'log.template': 'No {What}',
        'exception.message': 'boom',
      },
    });
    expect(sink.stats()).toMatchObject({ logged: 1, sent: 1, dropped: 0 });
    provider.getLogger('other').emit({ body: 'still open' });
    expect(bodies()).toEqual(['No luck', 'still open']);
  });

  it('has the trace context of the fields, never that of the code that runs the queue', () => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager());
    try {
      const { provider, exporter } = memory();
      const logger = createLogger({ sinks: [otelSink({ provider })] });
      const ids = { traceId: '1'.repeat(32), spanId: '2'.repeat(16), traceFlags: 1 };
      const other = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 1 };
      context.with(trace.setSpanContext(context.active(), other), () => {
        logger.information('in none');
        logger
          .forContextValues({ trace_id: ids.traceId, span_id: ids.spanId })
          .information('in one');
      });
      const [inNone, inOne] = exporter.getFinishedLogRecords();
      expect(inNone!.spanContext).toBeUndefined();
      expect(inOne!.spanContext).toMatchObject({ traceId: ids.traceId, spanId: ids.spanId });
    } finally {
      context.disable();
    }
  });

  it('counts what the provider throws, and tells it', () => {
    const errors: string[] = [];
    const emit = (): void => {
      throw new Error('full');
    };
    const sink = otelSink({
      provider: { getLogger: () => ({ emit }) },
      onError: ({ message }) => void errors.push(message),
    });
    createLogger({ sinks: [sink] }).information('x');
    expect(sink.stats()).toMatchObject({ logged: 1, sent: 0, failed: 1 });
    expect(errors).toEqual(['logx-otel: provider: the provider failed: full']);
  });
});

describe('a sink without a provider', () => {
  afterEach(() => logs.disable());

  it('uses the global one, also where that is registered later', async () => {
    const errors: string[] = [];
    const sink = otelSink({ onError: ({ message }) => void errors.push(message) });
    const logger = createLogger({ sinks: [sink] });
    logger.information('too early');
    const first = memory();
    logs.setGlobalLoggerProvider(first.provider);
    logger.information('one');
    logs.disable();
    const second = memory();
    logs.setGlobalLoggerProvider(second.provider);
    logger.information('two');
    await logger.close();
    expect([first.bodies(), second.bodies()]).toEqual([['one'], ['two']]);
    expect(sink.stats()).toMatchObject({ logged: 3, sent: 2, dropped: 1 });
    expect(errors).toEqual([expect.stringContaining('dropped 1 event ')]);
  });
});

describe('write', () => {
  const written = (line: string): { sink: OtelSink; errors: string[]; bodies: unknown[] } => {
    const { provider, bodies } = memory();
    const errors: string[] = [];
    const sink = otelSink({ provider, onError: ({ message }) => void errors.push(message) });
    sink.write(line);
    return { sink, errors, bodies: bodies() };
  };

  it('parses one event', () => {
    const { sink, errors, bodies } = written('{"level":"info","message":"hello"}\n');
    expect([bodies, errors]).toEqual([['hello'], []]);
    expect(sink.stats()).toMatchObject({ logged: 1, sent: 1 });
  });

  it('drops what it cannot translate, counts and reports it, and never throws', () => {
    const { sink, errors } = written(`nonsense${'x'.repeat(200)}`);
    expect(sink.stats()).toMatchObject({ logged: 1, sent: 0, failed: 1 });
    expect(errors).toEqual([
      expect.stringMatching(
        /^logx-otel: provider: 1 event lost: cannot translate "nonsensex+…?": not JSON$/,
      ),
    ]);
  });

  it('tells the logger, where the sink has no listener of its own', () => {
    const errors: string[] = [];
    const errorHandler = ({ message }: Error): void => void errors.push(message);
    const sink = otelSink({ provider: memory().provider });
    createLogger({ sinks: [sink], errorHandler });
    sink.write('nonsense');
    expect(errors).toEqual([expect.stringContaining('cannot translate "nonsense"')]);
  });

  it('survives a listener that throws', () => {
    const onError = (): void => {
      throw new Error('listener');
    };
    expect(() => otelSink({ onError }).write('nonsense')).not.toThrow();
  });
});
