import { Metadata } from '@grpc/grpc-js';
import type { HeaderValue, HeadersInit } from './call-options.js';

/**
 * Replaces metadata under the given keys.
 *
 * @throws Error of grpc-js for a key or value that metadata cannot hold.
 */
export function putHeaders(metadata: Metadata, given: HeadersInit): void {
  const entries = given instanceof Metadata ? given.toJSON() : given;
  for (const key in entries) {
    if (Object.hasOwn(entries, key)) put(metadata, key, entries[key]);
  }
}

function put(
  metadata: Metadata,
  key: string,
  value: HeaderValue | readonly HeaderValue[] | undefined,
): void {
  if (value === undefined) return;
  if (typeof value === 'string' || Buffer.isBuffer(value)) metadata.set(key, value);
  else {
    metadata.remove(key);
    for (const each of value) metadata.add(key, each);
  }
}
