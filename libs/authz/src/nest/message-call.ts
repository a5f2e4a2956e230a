import type { CallContext, CallMetadata, CallMethod, CallPeer } from '@apix/contracts';

const NEVER = new AbortController().signal;

/**
 * A message of Kafka, NATS, RabbitMQ, MQTT or another transport of Nest's. Its metadata are the
 * message's headers where the transport has any.
 */
export class MessageCall implements CallContext {
  readonly door = 'message';
  readonly metadata: CallMetadata;
  readonly peer: CallPeer = { address: '' };
  /** A message has no caller that could disconnect. */
  readonly signal: AbortSignal = NEVER;
  readonly forwarded = false;

  constructor(
    readonly method: CallMethod,
    context: unknown,
  ) {
    this.metadata = new MessageHeaders(headersOf(context));
  }
}

type Headers = ReadonlyMap<string, readonly string[]>;

class MessageHeaders implements CallMetadata {
  readonly #headers: Headers;

  constructor(headers: Headers) {
    this.#headers = headers;
  }

  get(key: string): readonly string[] {
    return this.#headers.get(key) ?? [];
  }

  keys(): readonly string[] {
    return [...this.#headers.keys()];
  }
}

/**
 * The headers inside Nest's context of a message, recognised by shape, because the transports'
 * clients are not installed where they are not used: `getHeaders()` (NATS), `getMessage()` with
 * `headers` (Kafka) or `properties.headers` (RabbitMQ), `getPacket()` with
 * `properties.userProperties` (MQTT 5).
 */
function headersOf(context: unknown): Headers {
  const headers = new Map<string, readonly string[]>();
  const message = called(context, 'getMessage');
  const sources = [
    called(context, 'getHeaders'),
    field(message, 'headers'),
    field(field(message, 'properties'), 'headers'),
    field(field(called(context, 'getPacket'), 'properties'), 'userProperties'),
  ];
  for (const source of sources) {
    for (const [name, value] of entriesOf(source)) {
      const key = name.toLowerCase();
      // `Authorization` next to `authorization` is one header that was sent twice.
      headers.set(key, [...(headers.get(key) ?? []), ...textsOf(value)]);
    }
  }
  return headers;
}

/** NATS' headers are iterable pairs of key and values; the others are plain objects. */
function entriesOf(source: unknown): Iterable<readonly [string, unknown]> {
  if (typeof source !== 'object' || source === null) return [];
  return Symbol.iterator in source
    ? (source as Iterable<readonly [string, unknown]>)
    : Object.entries(source);
}

function textsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (typeof value === 'string') return [value];
  return value instanceof Uint8Array ? [Buffer.from(value).toString()] : [];
}

function called(value: unknown, method: string): unknown {
  const fn = field(value, method);
  return typeof fn === 'function' ? (fn.call(value) as unknown) : undefined;
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}
