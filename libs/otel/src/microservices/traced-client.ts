import { callable, type OptionTable } from '@apix/contracts/internal';
import type { ClientOptions, Serializer } from '@nestjs/microservices';
import { otelOptions } from '../errors.js';
import {
  IdentitySerializer,
  KafkaRequestSerializer,
  MqttRecordSerializer,
  NatsRecordSerializer,
  RmqRecordSerializer,
  Transport,
} from '../npm-install/@nestjs/microservices.js';
import { Tracing, TRACING } from '../tracing/tracing.js';
import {
  IN_METADATA,
  IN_OPTIONS,
  IN_RECORD,
  inHeaderMap,
  type Placing,
  inUserProperties,
} from './placings.js';
import { TracedSerializer } from './traced-serializer.js';

export interface TracedClientOptions {
  /** The tracing that creates the spans, as injected by Nest. Default: one of the global provider. */
  readonly tracing?: Tracing | undefined;
  /**
   * The function `headers` of the client of NATS, which makes the headers of its messages. Default: a trace
   * is passed on in the headers that a message has already, and with one that has none it is not.
   */
  readonly natsHeaders?: (() => object) | undefined;
}

const TRACED_CLIENT_OPTIONS = {
  tracing: TRACING,
  natsHeaders: callable<() => object>(),
} satisfies OptionTable<TracedClientOptions>;

interface Transported {
  readonly system: string;
  readonly Serializer: new () => Serializer;
  readonly placing: Placing;
  /** Options in place of those of the app. */
  readonly options?: object;
}

/** The part of a client's options that is used. */
interface OwnOptions {
  readonly serializer?: Serializer;
  readonly userProperties?: object;
}

/**
 * Options of a client of `@nestjs/microservices` with a serializer that makes a span of each message, and
 * puts the trace and the baggage into it: into the headers of Kafka, RabbitMQ and NATS, the user properties
 * of MQTT 5, and for TCP and Redis into the member `metadata` of the packet. A serializer in the options
 * stays in use. Options of gRPC are returned as they are: its calls are traced by their own client.
 *
 * @throws OtelError for wrong options in `traced`.
 */
// Why: docs/decisions/0287
export function tracedClient<T extends ClientOptions>(
  options: T,
  traced: TracedClientOptions = {},
): T {
  const { tracing = new Tracing(), natsHeaders } = otelOptions(TRACED_CLIENT_OPTIONS, traced);
  const own = (options.options ?? {}) as OwnOptions;
  const transported = transportedBy(options, own, natsHeaders);
  if (transported === undefined) return options;
  const { system, placing } = transported;
  const serializer = new TracedSerializer(
    own.serializer ?? new transported.Serializer(),
    placing,
    system,
    tracing,
  );
  return { ...options, options: { ...own, ...transported.options, serializer } };
}

function transportedBy(
  { transport = Transport.TCP }: ClientOptions,
  { userProperties }: OwnOptions,
  natsHeaders: (() => object) | undefined,
): Transported | undefined {
  switch (transport) {
    case Transport.TCP:
      return { system: 'tcp', Serializer: IdentitySerializer, placing: IN_METADATA };
    case Transport.REDIS:
      return { system: 'redis', Serializer: IdentitySerializer, placing: IN_METADATA };
    case Transport.MQTT: {
      const { shared, placing } = inUserProperties(userProperties);
      const options = { userProperties: shared };
      return { system: 'mqtt', Serializer: MqttRecordSerializer, placing, options };
    }
    case Transport.NATS: {
      const placing = inHeaderMap(natsHeaders);
      return { system: 'nats', Serializer: NatsRecordSerializer, placing };
    }
    case Transport.RMQ:
      return { system: 'rabbitmq', Serializer: RmqRecordSerializer, placing: IN_OPTIONS };
    case Transport.KAFKA:
      return { system: 'kafka', Serializer: KafkaRequestSerializer, placing: IN_RECORD };
    case Transport.GRPC:
      return undefined;
  }
}
