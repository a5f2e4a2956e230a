import { isRecord } from '@apix/contracts/internal';
import type { TextMapGetter } from '@opentelemetry/api';

/** Where the headers of a message are, in the context that Nest's transports pass to a handler. */
interface MessageContext {
  /** Of Kafka and RabbitMQ. */
  getMessage?(): {
    readonly headers?: unknown;
    readonly offset?: unknown;
    readonly properties?: { readonly headers?: unknown; readonly messageId?: unknown };
  };
  getPartition?(): unknown;
  /** Of NATS. */
  getHeaders?(): unknown;
  /** Of MQTT. */
  getPacket?(): { readonly properties?: { readonly userProperties?: unknown } } | undefined;
  /** Of TCP and Redis, from Nest 12.1 on. */
  getMetadata?(): unknown;
}

/** The headers of NATS. */
interface HeaderMap {
  get(name: string): unknown;
  keys(): string[];
}

/** How many values of one header are read. */
const MAX_VALUES = 32;
/** How much of a value is read, in bytes; the W3C allows less. */
const MAX_BYTES = 8_192;

/**
 * The headers that came with a message; undefined if there are none, and for a transport without headers.
 *
 * @param carrier Nest's context of the transport.
 */
export function messageHeadersOf(carrier: unknown): object | undefined {
  const context = asContext(carrier);
  if (context === undefined) return undefined;
  const message = asObject(context.getMessage?.());
  const properties = asObject(message?.['properties']);
  const packet = asObject(asObject(context.getPacket?.())?.['properties']);
  return (
    asObject(message?.['headers']) ??
    asObject(properties?.['headers']) ??
    asObject(context.getHeaders?.()) ??
    asObject(packet?.['userProperties']) ??
    asObject(context.getMetadata?.())
  );
}

/** The id of a message, if its transport has one. */
export function messageIdOf(carrier: unknown): string | undefined {
  const context = asContext(carrier);
  const message = asObject(context?.getMessage?.());
  const { messageId } = asObject(message?.['properties']) ?? {};
  return typeof messageId === 'string' ? messageId : undefined;
}

/** Where a message was in its topic, of Kafka. */
export function messagePlaceOf(carrier: unknown): { partition?: string; offset?: number } {
  const context = asContext(carrier);
  const partition = context?.getPartition?.();
  if (typeof partition !== 'number' && typeof partition !== 'string') return {};
  const offset = Number(asObject(context?.getMessage?.())?.['offset']);
  return { partition: String(partition), ...(Number.isSafeInteger(offset) && { offset }) };
}

/** Reads headers as text, as JavaScript's clients of brokers have them: text, bytes, or several of them. */
export const HEADER_GETTER: TextMapGetter<object> = {
  keys: (headers) => (isHeaderMap(headers) ? headers.keys() : Object.keys(headers)),
  get: (headers, name) => {
    if (isHeaderMap(headers)) return textOf(headers.get(name));
    if (!Object.hasOwn(headers, name)) return undefined;
    const value: unknown = (headers as Readonly<Record<string, unknown>>)[name];
    if (!Array.isArray(value)) return textOf(value);
    return value
      .slice(0, MAX_VALUES)
      .map(textOf)
      .filter((text) => text !== undefined);
  },
};

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value.slice(0, MAX_BYTES);
  if (!(value instanceof Uint8Array)) return undefined;
  return Buffer.from(value.buffer, value.byteOffset, Math.min(value.length, MAX_BYTES)).toString();
}

function isHeaderMap(headers: object): headers is HeaderMap {
  const { get, keys } = headers as Partial<HeaderMap>;
  return typeof get === 'function' && typeof keys === 'function';
}

function asContext(carrier: unknown): MessageContext | undefined {
  return asObject(carrier);
}

function asObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return isRecord(value) ? value : undefined;
}
