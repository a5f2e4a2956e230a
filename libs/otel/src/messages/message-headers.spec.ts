import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  KafkaContext,
  MqttContext,
  NatsContext,
  RedisContext,
  RmqContext,
  TcpContext,
} from '@nestjs/microservices';
import { trace } from '@opentelemetry/api';
import type { InMemorySpanExporter } from '@opentelemetry/sdk-trace';
import { forgetSpans, recordSpans } from '../recorded-spans.fixture.js';
import { Tracing } from '../tracing/tracing.js';
import { HEADER_GETTER } from './message-headers.js';
import { MessageSpans } from './message-spans.js';

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

let exporter: InMemorySpanExporter;
beforeEach(() => void (exporter = recordSpans()));
afterEach(forgetSpans);

function processed(system: string, carrier: unknown) {
  const { span } = new MessageSpans(new Tracing()).begin({
    system,
    destination: 'orders',
    carrier,
  })!;
  span.end();
  return exporter.getFinishedSpans().at(-1)!;
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

describe('what else tells of a message', () => {
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
