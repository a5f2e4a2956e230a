import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ROOT_CONTEXT, context, propagation, trace } from '@opentelemetry/api';
import type { Telemetry } from 'bullmq';
import { RecordedSpans, brief, forgetSpans } from '../recorded-spans.fixture.js';
import { SpanScope } from '../spans/span-scope.js';
import { type BullmqTelemetryOptions, bullmqTelemetry } from './bullmq-telemetry.js';

// `npm run conformance:tracing-jobs` has jobs of BullMQ over a real Redis.

const [PRODUCER, CONSUMER, INTERNAL] = [3, 4, 0];

let recorded: RecordedSpans;
beforeEach(() => void (recorded = new RecordedSpans()));
afterEach(forgetSpans);

const telemetry = (options?: BullmqTelemetryOptions): Telemetry => bullmqTelemetry(options);
const finished = (name: string) => recorded.all.find((span) => span.name === name)!;

/** What BullMQ does when a job is added, and what it writes into it. */
function added({ tracer, contextManager }: Telemetry): string {
  const span = tracer.startSpan('add mail.welcome', { kind: PRODUCER });
  span.setAttributes({ 'bullmq.queue.name': 'mail', 'bullmq.queue.operation': 'add' });
  const inner: unknown = span.setSpanOnContext(contextManager.active());
  const metadata = contextManager.getMetadata(inner);
  span.setAttributes({ 'bullmq.job.name': 'welcome', 'bullmq.job.id': '7' });
  span.end();
  return metadata;
}

/** What BullMQ does when a job is run. */
function processed(
  { tracer, contextManager }: Telemetry,
  metadata: string,
  work: () => void,
  failure?: string,
): void {
  const outer: unknown = contextManager.fromMetadata(contextManager.active(), metadata);
  const span = tracer.startSpan('process mail', { kind: CONSUMER }, outer);
  contextManager.with(span.setSpanOnContext(outer), work);
  if (failure !== undefined) span.addEvent('job failed', { 'bullmq.job.failed.reason': failure });
  span.setAttributes({ 'bullmq.job.id': '7', 'bullmq.job.result': 'secret' });
  span.end();
}

describe('the telemetry of BullMQ', () => {
  it('links a job to what has added it, in a trace of its own', () => {
    const it = telemetry();
    processed(it, added(it), () => trace.getTracer('app').startSpan('query').end());
    expect(recorded.paths).toEqual([
      'CONSUMER process mail',
      'CONSUMER process mail > INTERNAL query',
      'PRODUCER send mail',
    ]);
    const { links, attributes } = finished('process mail');
    expect(links.map((link) => link.context.spanId)).toEqual([
      finished('send mail').spanContext().spanId,
    ]);
    expect(attributes).toEqual({
      'messaging.system.name': 'bullmq',
      'messaging.operation.name': 'process',
      'messaging.operation.type': 'process',
      'messaging.destination.name': 'mail',
      'messaging.message.id': '7',
    });
  });

  it('makes it a child by option', () => {
    const it = telemetry({ jobs: 'parent' });
    processed(it, added(it), () => {});
    expect(recorded.paths).toContain('PRODUCER send mail > CONSUMER process mail');
  });

  it.each(['link', 'parent'] as const)('brings the baggage to the job: %s', (jobs) => {
    const it = telemetry({ jobs });
    const baggage = propagation.createBaggage({ tenant: { value: 'acme' } });
    const metadata = context.with(propagation.setBaggage(ROOT_CONTEXT, baggage), () => added(it));
    let tenant: string | undefined;
    const look = (): void =>
      void (tenant = propagation.getActiveBaggage()?.getEntry('tenant')?.value);
    processed(it, metadata, look);
    expect(tenant).toBe('acme');
  });

  it.each(['', '{', '7', 'null', '{"traceparent":7}', '"'.repeat(50_000)])(
    'begins a trace for metadata that is none: %.20s',
    (metadata) => {
      processed(telemetry(), metadata, () => {});
      expect(finished('process mail').links).toEqual([]);
    },
  );

  it('marks a job that fails, with what the host has seen of it', () => {
    const it = telemetry();
    processed(it, '', () => {}, 'no stamps');
    const scope = new SpanScope();
    const fail = (): void => {
      throw new RangeError('no stamps');
    };
    const origin = { system: 'bullmq', destination: 'mail' };
    processed(
      it,
      '',
      () => {
        expect(() => scope.run('message', 'queue mail', fail, origin)).toThrow('no stamps');
      },
      'no stamps',
    );
    expect(recorded.all.map(brief)).toEqual([
      'CONSUMER process mail ERROR Error',
      'CONSUMER process mail ERROR RangeError',
    ]);
  });

  it('makes spans of the rest by option alone', () => {
    for (const internal of [false, true]) {
      const { tracer } = telemetry({ internal });
      tracer.startSpan('getNextJob mail', { kind: INTERNAL }).end();
      tracer.startSpan('retryJobs mail', { kind: PRODUCER }).end();
    }
    expect(recorded.all.map(brief)).toEqual([
      'INTERNAL getNextJob mail',
      'INTERNAL retryJobs mail',
    ]);
  });
});

describe('a job that the host follows, of a worker without telemetry', () => {
  it('has a span that is linked to what has added it', () => {
    const metadata = added(telemetry());
    const carrier = { id: '7', opts: { telemetry: { metadata } } };
    const origin = { system: 'bullmq', destination: 'mail', messageId: '7', carrier };
    new SpanScope().run('message', 'queue mail', () => {}, origin);
    expect(brief(finished('process mail'))).toBe('CONSUMER process mail');
    expect(finished('process mail').links).toHaveLength(1);
    expect(finished('process mail').attributes).toMatchObject({ 'messaging.message.id': '7' });
  });
});
