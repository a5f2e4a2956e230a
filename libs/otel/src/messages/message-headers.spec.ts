import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  KafkaContext,
  MqttContext,
  NatsContext,
  RedisContext,
  RmqContext,
  TcpContext,
} from '@nestjs/microservices';
import { ROOT_CONTEXT, context, propagation, trace } from '@opentelemetry/api';
import { RecordedSpans, forgetSpans } from '../recorded-spans.fixture.js';
import { entrySpan, withEntrySpan } from '../tracing/entry-span.js';
import { Tracing } from '../tracing/tracing.js';
import { HEADER_GETTER } from './message-headers.js';
import { MessageSpans, type MessageSpansOptions } from './message-spans.js';

const PARENT = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;

/** Contexts as Nest makes them; brokers that are not at hand are stood in for by what they deliver. */
const contextsWith = (traceparent: unknown): Readonly<Record<string, object>> => ({
  kafka: new KafkaContext([
    { headers: { traceparent }, offset: '42' } as never,
    3,
    'orders',
    null as never,
    null as never,
    null as never,
  ]),
  rabbitmq: new RmqContext([
    { properties: { headers: { traceparent }, messageId: 'm1' } },
    {},
    'orders',
  ]),
  nats: new NatsContext(['orders', { get: () => traceparent, keys: () => ['traceparent'] }]),
  mqtt: new MqttContext(['orders', { properties: { userProperties: { traceparent } } }]),
  // From Nest 12.1 on.
  ...('getMetadata' in TcpContext.prototype && {
    tcp: new TcpContext([null as never, 'orders', { traceparent }] as never),
    redis: new RedisContext(['orders', { traceparent }] as never),
  }),
});

let recorded: RecordedSpans;
beforeEach(() => void (recorded = new RecordedSpans()));
afterEach(forgetSpans);

function processed(system: string, carrier: unknown) {
  const { span } = new MessageSpans(new Tracing()).begin({
    system,
    destination: 'orders',
    carrier,
  })!;
  span.end();
  return recorded.all.at(-1)!;
}

describe.each(Object.keys(contextsWith('')))('a message of %s', (system) => {
  it.each<[string, unknown]>([
    ['text', PARENT],
    ['bytes', Buffer.from(PARENT)],
    ['one of several', [PARENT, PARENT]],
  ])('is a child of what its headers name as %s', (_, value) => {
    // Clients of NATS and RabbitMQ give text alone, which this reads as well as all others.
    const parent = system === 'nats' ? PARENT : value;
    const span = processed(system, contextsWith(parent)[system]);
    expect(span.spanContext().traceId).toBe('a'.repeat(32));
    expect(span.parentSpanContext?.spanId).toBe('b'.repeat(16));
    expect(span.attributes['messaging.system.name']).toBe(system);
  });

  it.each<[string, unknown]>([
    ['rubbish', 'no'],
    ['what is huge', 'x'.repeat(1_000_000)],
    ['a number', 7],
    ['nothing', undefined],
    ['a list of anything', [{}, null, 7]],
  ])('with %s for headers begins a trace', (_, value) => {
    const span = processed(system, contextsWith(value)[system]);
    expect(span.parentSpanContext).toBeUndefined();
    expect(trace.getActiveSpan()).toBeUndefined();
  });
});

describe('what else describes a message', () => {
  it('is where it was in its topic, of Kafka', () => {
    expect(processed('kafka', contextsWith(PARENT)['kafka']).attributes).toEqual({
      'messaging.system.name': 'kafka',
      'messaging.operation.name': 'process',
      'messaging.operation.type': 'process',
      'messaging.destination.name': 'orders',
      'messaging.destination.partition.id': '3',
      'kafka.offset': 42,
    });
  });

  it('is its id, of RabbitMQ', () => {
    const { attributes } = processed('rabbitmq', contextsWith(PARENT)['rabbitmq']);
    expect(attributes).toMatchObject({ 'messaging.message.id': 'm1' });
  });

  it('is nothing, of a transport of the app', () => {
    for (const carrier of [undefined, null, 7, {}, Object.create(null)]) {
      expect(processed('own', carrier).parentSpanContext).toBeUndefined();
    }
  });
});

it('headers have no names but their own', () => {
  expect(HEADER_GETTER.get({}, 'constructor')).toBeUndefined();
  expect(HEADER_GETTER.keys({ a: 1 })).toEqual(['a']);
});

it('a message over a WebSocket is linked to the span that is active, and no part of it', () => {
  trace.getTracer('app').startActiveSpan('handshake', (handshake) => {
    const { links, parentSpanContext, attributes } = processed('websocket', {});
    expect(links.map((link) => link.context)).toEqual([handshake.spanContext()]);
    expect(parentSpanContext).toBeUndefined();
    expect(attributes).toEqual({
      'network.protocol.name': 'websocket',
      'messaging.destination.name': 'orders',
    });
    handshake.end();
  });
});

describe('what a message takes over from its sender', () => {
  const headers = { traceparent: PARENT, baggage: 'tenant=acme' };
  const message = { system: 'nats', destination: 'orders', carrier: { getHeaders: () => headers } };
  const metadata = JSON.stringify(headers);
  const job = {
    system: 'bullmq',
    destination: 'mail',
    carrier: { opts: { telemetry: { metadata } } },
  };

  it.each<[MessageSpansOptions, typeof message | typeof job, string, string | undefined]>([
    [{ incoming: 'parent' }, message, 'a child', 'acme'],
    [{ incoming: 'link' }, message, 'a link', undefined],
    [{ incoming: 'ignore' }, message, 'alone', undefined],
    [{ jobs: 'parent' }, job, 'a child', 'acme'],
    // The app has added it: it is believed, and done later.
    [{ jobs: 'link' }, job, 'a link', 'acme'],
    [{ jobs: 'ignore' }, job, 'alone', undefined],
  ])('%j', (options, origin, relation, tenant) => {
    const begun = new MessageSpans(new Tracing(), options).begin(origin)!;
    begun.span.end();
    const { parentSpanContext, links } = recorded.all[0]!;
    const hasLink = links.length > 0 ? 'a link' : 'alone';
    expect(parentSpanContext === undefined ? hasLink : 'a child').toBe(relation);
    expect(propagation.getBaggage(begun.context)?.getEntry('tenant')?.value).toBe(tenant);
  });

  it('over a WebSocket is what the handshake has let in, and no more of it than that', () => {
    const baggage = propagation.createBaggage({ tenant: { value: 'acme' } });
    const handshake = trace.getTracer('app').startSpan('handshake');
    const entry = withEntrySpan(propagation.setBaggage(ROOT_CONTEXT, baggage), {
      span: handshake,
    });
    const { span, context: inner } = context.with(entry, () =>
      new MessageSpans(new Tracing()).begin({ system: 'websocket', destination: 'greet' }),
    )!;
    expect(propagation.getBaggage(inner)?.getEntry('tenant')?.value).toBe('acme');
    expect(context.with(inner, entrySpan)).toBeUndefined();
    expect(trace.getSpan(inner)).toBe(span);
  });

  it.each([message, job])('is nothing where the propagator throws: %j', (origin) => {
    propagation.disable();
    propagation.setGlobalPropagator({
      inject() {},
      extract() {
        throw new Error('not like this');
      },
      fields: () => [],
    });
    const begun = new MessageSpans(new Tracing()).begin(origin)!;
    begun.span.end();
    expect(recorded.all[0]?.parentSpanContext).toBeUndefined();
  });
});
