import type { Metadata } from '@grpc/grpc-js';

/** Keys that belong to gRPC or HTTP/2, that HTTP/2 forbids (RFC 9113 §8.2.2), or that get lost. */
const RESERVED: ReadonlySet<string> = new Set([
  '__proto__',
  'connection',
  'content-length',
  'content-type',
  'grpc-accept-encoding',
  'grpc-encoding',
  'grpc-message',
  'grpc-status',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Whether metadata under this key cannot be sent. A colon begins the keys of HTTP/2 itself and is for no
 * others (RFC 9110 §5.6.2): grpc-js takes it anywhere in a key, and from Node 26 on sending it throws.
 */
export function isTransportKey(key: string): boolean {
  return RESERVED.has(key) || key.includes(':');
}

/** Further keys that describe the call or message that they came with, and no other. */
const OF_ONE_CALL = /^(?:grpc-|content-|trailer$|host$|date$|user-agent$)/;

/** Whether metadata under this key, of a call that was received, is not to be passed on. */
export function isKeyOfOneCall(key: string): boolean {
  return isTransportKey(key) || OF_ONE_CALL.test(key);
}

/** The size of a field in addition to its name and value (RFC 9113 §6.5.2). */
const FIELD_OVERHEAD = 32;

/**
 * Node takes lists of 65,535 bytes and 128 fields; the difference is left to the fields of gRPC
 * and the status text. A longer list stalls or ends the connection, with every other call on it.
 */
const MAX_BYTES = 48 * 1024;
const MAX_FIELDS = 100;

type Value = ReturnType<Metadata['get']>[number];
type KeyValues = readonly [key: string, values: readonly Value[]];

/**
 * Metadata as it can be sent over HTTP/2: the same object if it can be sent as it is, otherwise a copy.
 * Left out are keys of HTTP/2 and gRPC themselves (`connection`, `grpc-status`, …), values that are neither
 * text nor bytes, and what goes beyond 48 KiB or 100 keys; of the first key that is left out for a reason,
 * the process emits a warning. Several text values of a key become one, joined by commas (RFC 9110 §5.3),
 * because Node throws on two values of `etag` and its like. Null for anything but metadata; throws nothing.
 *
 * Metadata is recognised by its methods, so that a second copy of grpc-js is understood.
 */
export function sendableMetadata(metadata: unknown): Metadata | null {
  try {
    if (!isMetadata(metadata)) return null;
    const fields: KeyValues[] = Object.entries(metadata.toJSON());
    // A plain object, as `toJSON` gives it, cannot hold this one.
    if (metadata.get('__proto__').length > 0) fields.push(['__proto__', []]);
    return isSendable(fields) ? metadata : copyOf(metadata, fields);
  } catch {
    return null;
  }
}

function isSendable(fields: readonly KeyValues[]): boolean {
  let bytes = 0;
  for (const [key, values] of fields) {
    const [value] = values;
    if (values.length !== 1 || isTransportKey(key) || !isValueOf(key, value)) return false;
    bytes += sizeOf(key, value);
  }
  return bytes <= MAX_BYTES && fields.length <= MAX_FIELDS;
}

function copyOf(metadata: Metadata, fields: readonly KeyValues[]): Metadata {
  const copy = new (metadata.constructor as new () => Metadata)();
  let room = MAX_BYTES;
  let left = MAX_FIELDS;
  for (const [key, given] of fields) {
    if (isTransportKey(key)) {
      warn(key, 'gRPC and HTTP/2 keep such keys to themselves');
      continue;
    }
    const sound = given.filter((value) => isValueOf(key, value));
    const values = key.endsWith('-bin') || sound.length < 2 ? sound : [sound.join(', ')];
    const bytes = values.reduce<number>((sum, value) => sum + sizeOf(key, value), 0);
    if (sound.length < given.length) warn(key, 'a value is neither text nor bytes');
    if (bytes > room || values.length > left) {
      warn(key, `answers carry at most ${MAX_BYTES} bytes and ${MAX_FIELDS} keys of metadata`);
      continue;
    }
    for (const value of values) copy.add(key, value);
    room -= bytes;
    left -= values.length;
  }
  return copy;
}

function isMetadata(value: unknown): value is Metadata {
  const { get, add, toJSON } = (value ?? {}) as Partial<Metadata>;
  return typeof get === 'function' && typeof add === 'function' && typeof toJSON === 'function';
}

/** Numbers and the like are sent as text by Node. */
function isValueOf(key: string, value: unknown): value is Value {
  if (key.endsWith('-bin')) return Buffer.isBuffer(value);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function sizeOf(key: string, value: Value | undefined): number {
  const sent = Buffer.isBuffer(value) ? Math.ceil(value.length / 3) * 4 : String(value).length;
  return key.length + sent + FIELD_OVERHEAD;
}

/** Reasons that were warned of. */
const warned = new Set<string>();

function warn(key: string, reason: string): void {
  if (warned.has(reason)) return;
  warned.add(reason);
  process.emitWarning(`apix: metadata "${key}" was left out of an answer: ${reason}`, {
    code: 'APIX_METADATA_LEFT_OUT',
  });
}
