import { callable, checkedOptions, type OptionTable } from '@apix/contracts/options';
import type { ClientOptions, Serializer } from '@nestjs/microservices';
import { OtelError } from '../errors.js';
import {
  IdentitySerializer,
  KafkaRequestSerializer,
  MqttRecordSerializer,
  NatsRecordSerializer,
  RmqRecordSerializer,
  Transport,
} from '../npm-install/@nestjs/microservices.js';
import { Tracing, TRACING } from '../tracing/tracing.js';
import { IN_METADATA, IN_OPTIONS, IN_RECORD, type Placing, inHeaderMap } from './placings.js';
import { TracedSerializer } from './traced-serializer.js';
import { UserProperties } from './user-properties.js';

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
  readonly serializer: () => Serializer;
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
  const { tracing = new Tracing(), natsHeaders } = checkedOptions(
    TRACED_CLIENT_OPTIONS,
    traced,
    (found) => new OtelError(found),
  );
  const own = (options.options ?? {}) as OwnOptions;
  const transported = transportedBy(options, own, natsHeaders);
  if (transported === undefined) return options;
  const { system, placing } = transported;
  const serializer = new TracedSerializer(
    own.serializer ?? transported.serializer(),
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
      return { system: 'tcp', serializer: () => new IdentitySerializer(), placing: IN_METADATA };
    case Transport.REDIS:
      return { system: 'redis', serializer: () => new IdentitySerializer(), placing: IN_METADATA };
    case Transport.MQTT: {
      const { shared, placing } = new UserProperties(userProperties);
      return {
        system: 'mqtt',
        serializer: () => new MqttRecordSerializer(),
        placing,
        options: { userProperties: shared },
      };
    }
    case Transport.NATS:
      return {
        system: 'nats',
        serializer: () => new NatsRecordSerializer(),
        placing: inHeaderMap(natsHeaders),
      };
    case Transport.RMQ:
      return {
        system: 'rabbitmq',
        serializer: () => new RmqRecordSerializer(),
        placing: IN_OPTIONS,
      };
    case Transport.KAFKA:
      return {
        system: 'kafka',
        serializer: () => new KafkaRequestSerializer(),
        placing: IN_RECORD,
      };
    case Transport.GRPC:
      return undefined;
  }
}
