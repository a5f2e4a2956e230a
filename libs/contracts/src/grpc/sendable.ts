import { Metadata } from '@grpc/grpc-js';
import { sendableMetadata } from '../sendable-metadata.js';

/** What grpc-js calls of metadata that it sends. */
const CALLED = ['toHttp2Headers', 'merge', 'clone'] as const;
const OWN: object = Metadata.prototype;

/**
 * {@link sendableMetadata} that this copy of grpc-js sends without running anybody's code: what is
 * not plainly of its class is copied, since grpc-js catches nothing that `toHttp2Headers` throws.
 */
export function sendable(metadata: unknown): Metadata | null {
  const found = sendableMetadata(metadata);
  try {
    return found === null || isOwn(found) ? found : copyOf(found);
  } catch {
    return null;
  }
}

function isOwn(metadata: object): boolean {
  return CALLED.every((name) => Reflect.get(metadata, name) === Reflect.get(OWN, name));
}

function copyOf(metadata: Metadata): Metadata {
  const copy = new Metadata();
  for (const [key, values] of Object.entries(metadata.toJSON())) {
    for (const value of values) copy.add(key, value);
  }
  return copy;
}
