import type { Metadata } from '@grpc/grpc-js';

/** A copy of metadata as it would arrive over HTTP/2: see {@link joinValues}. */
export function wireMetadata(sent: Metadata): Metadata {
  return joinValues(sent.clone());
}

/**
 * Makes one value of the text values of a key that has several, joined by commas, as HTTP/2 does (RFC 9110
 * §5.3), so that the transports do not differ in them.
 */
export function joinValues(metadata: Metadata): Metadata {
  // Read at once: each key that is asked for by name is checked again.
  for (const [key, values] of Object.entries(metadata.toJSON())) {
    if (values.length > 1 && !key.endsWith('-bin')) metadata.set(key, values.join(', '));
  }
  return metadata;
}
