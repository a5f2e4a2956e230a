import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type ClientOptions,
  MqttRecordBuilder,
  NatsRecord,
  RmqRecordBuilder,
  type Serializer,
  Transport,
} from '@nestjs/microservices';
import { context, propagation, trace } from '@opentelemetry/api';
import { RecordedSpans, forgetSpans } from '../recorded-spans.fixture.js';
import { type TracedClientOptions, tracedClient } from './index.js';

let recorded: RecordedSpans;
beforeEach(() => void (recorded = new RecordedSpans()));
afterEach(forgetSpans);

const HEADER = expect.stringMatching(/^00-[\da-f]{32}-[\da-f]{16}-01$/);

function serializerOf(options: ClientOptions, more?: TracedClientOptions): Serializer {
  const { serializer } = tracedClient(options, more).options as { serializer: Serializer };
  return serializer;
}

/** Stands for Nest's, which with Nest 11 loads the client of NATS. */
const ofNats: Serializer = {
  serialize: ({ data }: { readonly data: unknown }) => {
    const { data: value, headers } =
      data instanceof NatsRecord ? data : { data, headers: undefined };
    return { data: JSON.stringify(value), ...(headers !== undefined && { headers }) };
  },
};
const NATS: ClientOptions = { transport: Transport.NATS, options: { serializer: ofNats } };
const natsHeaders = (): Map<string, string> => new Map();
const packet = (data: unknown) => ({ pattern: 'orders', data, id: '1' });

describe('a client', () => {
  it('has a span for what it sends, inside the one that is active', () => {
    const serializer = serializerOf({ transport: Transport.TCP });
    trace.getTracer('app').startActiveSpan('request', (span) => {
      serializer.serialize(packet({ a: 1 }));
      span.end();
    });
    expect(recorded.paths).toEqual(['INTERNAL request', 'INTERNAL request > PRODUCER send orders']);
    expect(recorded.all[0]?.attributes).toEqual({
      'messaging.system.name': 'tcp',
      'messaging.operation.name': 'send',
      'messaging.operation.type': 'send',
      'messaging.destination.name': 'orders',
    });
  });

  it.each<[string, ClientOptions]>([
    ['TCP', { transport: Transport.TCP }],
    ['TCP, which is the default', {}],
    ['Redis', { transport: Transport.REDIS }],
  ])('of %s sends the trace in the metadata of the packet', (_, options) => {
    const sent = { ...packet(7), metadata: { tenant: 'acme' } };
    expect(serializerOf(options).serialize(sent)).toEqual({
      ...sent,
      metadata: { tenant: 'acme', traceparent: HEADER },
    });
    expect(sent.metadata).toEqual({ tenant: 'acme' });
  });

  it('of MQTT sends it in the user properties, with those of the app and none of other messages', () => {
    const own = { a: '1' };
    const options = { transport: Transport.MQTT, options: { userProperties: own } } as const;
    const { serializer, userProperties } = tracedClient(options).options as {
      readonly serializer: Serializer;
      readonly userProperties: object;
    };
    const baggage = propagation.createBaggage({ tenant: { value: 'acme' } });
    context.with(propagation.setBaggage(context.active(), baggage), () => {
      const record = new MqttRecordBuilder(7).setQoS(1).build();
      expect(serializer.serialize(packet(record))).toBe(JSON.stringify(packet(7)));
    });
    expect({ ...userProperties }).toEqual({ ...own, traceparent: HEADER, baggage: 'tenant=acme' });
    serializer.serialize(packet(7));
    expect({ ...userProperties }).toEqual({ ...own, traceparent: HEADER });
    expect(own).toEqual({ a: '1' });
  });

  it('of RabbitMQ sends it in the headers, next to those of a record', () => {
    const serializer = serializerOf({ transport: Transport.RMQ });
    const record = new RmqRecordBuilder(7).setOptions({ headers: { a: '1' }, priority: 2 }).build();
    expect(serializer.serialize(packet(record))).toEqual({
      ...packet(7),
      options: { headers: { a: '1', traceparent: HEADER }, priority: 2 },
    });
    expect(record.options?.headers).toEqual({ a: '1' });
    expect(serializer.serialize(packet(7))).toMatchObject({
      options: { headers: { traceparent: HEADER } },
    });
  });

  it('of Kafka sends it in the headers of the message', () => {
    const serializer = serializerOf({ transport: Transport.KAFKA });
    const message = { key: 'k', value: 'v', headers: { a: '1' } };
    expect(serializer.serialize(message, { pattern: 'orders' })).toEqual({
      key: 'k',
      value: 'v',
      headers: { a: '1', traceparent: HEADER },
    });
    expect(recorded.all[0]?.name).toBe('send orders');
  });

  it.each([
    ['that a message has', new NatsRecord(7, new Map()), {}],
    ['that it makes', 7, { natsHeaders }],
  ])('of NATS sends it in headers %s', (_, data, more) => {
    const serializer = serializerOf(NATS, more);
    const { headers } = serializer.serialize(packet(data)) as { headers: Map<string, string> };
    expect(headers.get('traceparent')).toEqual(HEADER);
  });

  it('of NATS that can make no headers sends the message as it is', () => {
    const serializer = serializerOf(NATS);
    expect(serializer.serialize(packet(7))).toEqual({ data: '7' });
  });

  it('goes on to use the serializer of the app', async () => {
    const own: Serializer = { serialize: async (value: object) => ({ ...value, own: true }) };
    const options = { transport: Transport.RMQ, options: { serializer: own } } as const;
    expect(await serializerOf(options).serialize(packet(7))).toMatchObject({
      own: true,
      options: { headers: { traceparent: HEADER } },
    });
  });

  it('of gRPC is left alone', () => {
    const options = {
      transport: Transport.GRPC,
      options: { package: 'a', protoPath: 'a' },
    } as const;
    expect(tracedClient(options)).toBe(options);
  });

  it('sends what it sent before where the propagator of the app throws', () => {
    propagation.disable();
    propagation.setGlobalPropagator({
      inject() {
        throw new Error('not like this');
      },
      extract: (outer) => outer,
      fields: () => [],
    });
    const sent = packet(7);
    expect(serializerOf({ transport: Transport.TCP }).serialize(sent)).toBe(sent);
  });

  it('sends what it sent before where the app has no propagator', () => {
    forgetSpans();
    const sent = packet(7);
    expect(serializerOf({ transport: Transport.TCP }).serialize(sent)).toBe(sent);
  });
});
