import { Metadata } from '@grpc/grpc-js';
import type { HeadersInit, HeaderValue } from './call-options.js';

/**
 * Puts metadata in the place of what is there under its keys.
 *
 * @throws Error of grpc-js for a key or value that metadata cannot hold.
 */
export function putHeaders(metadata: Metadata, given: HeadersInit): void {
  for (const [key, values] of entriesOf(given)) {
    metadata.remove(key);
    for (const value of values) metadata.add(key, value);
  }
}

function entriesOf(given: HeadersInit): [string, readonly HeaderValue[]][] {
  if (given instanceof Metadata) return Object.entries(given.toJSON());
  return Object.entries(given).flatMap(([key, value]) => {
    if (value === undefined) return [];
    return [[key, typeof value === 'string' || Buffer.isBuffer(value) ? [value] : value]];
  });
}
