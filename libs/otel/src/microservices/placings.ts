import { isRecord } from '@apix/contracts/internal';
import type { TraceHeaders } from '../messages/sent-message.js';

/** Where a transport takes headers: in the input of a serializer, or in its output. */
export interface Placing {
  readonly before?: (packet: unknown, headers: TraceHeaders) => unknown;
  readonly after?: (serialized: unknown, headers: TraceHeaders) => unknown;
}

type Members = Readonly<Record<string, unknown>>;

/** Of TCP and Redis, which send the packet as it is. */
export const IN_METADATA: Placing = {
  before: (packet, headers) =>
    isRecord(packet)
      ? { ...packet, metadata: { ...membersOf(packet['metadata']), ...headers } }
      : packet,
};

/** Of Kafka, whose serializer returns a message with headers. */
export const IN_RECORD: Placing = {
  after: (message, headers) =>
    isRecord(message)
      ? { ...message, headers: { ...membersOf(message['headers']), ...headers } }
      : message,
};

/** Of RabbitMQ, whose serializer returns a packet with the options of its publishing. */
export const IN_OPTIONS: Placing = {
  after: (packet, headers) => {
    if (!isRecord(packet)) return packet;
    const options = membersOf(packet['options']);
    return {
      ...packet,
      options: { ...options, headers: { ...membersOf(options['headers']), ...headers } },
    };
  },
};

/** The headers of NATS, which only its own client can make. */
interface HeaderMap {
  set(name: string, value: string): unknown;
}

/** Of NATS, whose serializer returns data and headers. */
export function inHeaderMap(make: (() => object) | undefined): Placing {
  return {
    after: (message, headers) => {
      if (!isRecord(message)) return message;
      const map: unknown = message['headers'] ?? make?.();
      if (!isHeaderMap(map)) return message;
      for (const [name, value] of Object.entries(headers)) map.set(name, value);
      return { ...message, headers: map };
    },
  };
}

function isHeaderMap(map: unknown): map is HeaderMap {
  return isRecord(map) && typeof map['set'] === 'function';
}

function membersOf(value: unknown): Members {
  return isRecord(value) ? value : {};
}

/**
 * For MQTT 5: Nest copies the user properties from the client's options into each message, right after it has
 * been serialized and in the same turn. `shared` is the value of that option.
 */
export function inUserProperties(own: object = {}): { shared: object; placing: Placing } {
  const kept = { ...own };
  const shared: Record<string, unknown> = { ...own };
  const before = (packet: unknown, headers: TraceHeaders): unknown => {
    for (const name of Object.keys(shared)) delete shared[name];
    Object.assign(shared, kept, headers);
    return packet;
  };
  return { shared, placing: { before } };
}
