import { Metadata } from '../npm-install/@grpc/grpc-js.js';
import { sendableMetadata } from '../status/sendable-metadata.js';

type Called = Readonly<Record<'toHttp2Headers' | 'merge' | 'clone', unknown>>;

const OWN: Called = Metadata.prototype;

/**
 * {@link sendableMetadata} that this copy of grpc-js can send without running foreign code: an object that
 * is not exactly of its class is copied, because grpc-js does not catch what `toHttp2Headers` throws.
 */
export function sendable(metadata: unknown): Metadata | null {
  const found = sendableMetadata(metadata);
  try {
    return found === null || isOwn(found) ? found : copyOf(found);
  } catch {
    return null;
  }
}

/** {@link sendable} of `own` with the given metadata added; the given object is not changed. */
export function sendableWith(own: Metadata, given: unknown): Metadata | null {
  try {
    const more = given instanceof Metadata && isOwn(given) ? given : sendable(given);
    if (more !== null) own.merge(more);
  } catch {
    // A stub of metadata has nothing to add.
  }
  return sendable(own);
}

/** Of what grpc-js calls of metadata that it sends, nothing is anybody else's. */
function isOwn({ toHttp2Headers, merge, clone }: Called): boolean {
  return toHttp2Headers === OWN.toHttp2Headers && merge === OWN.merge && clone === OWN.clone;
}

function copyOf(metadata: Metadata): Metadata {
  const copy = new Metadata();
  for (const [key, values] of Object.entries(metadata.toJSON())) {
    for (const value of values) copy.add(key, value);
  }
  return copy;
}
