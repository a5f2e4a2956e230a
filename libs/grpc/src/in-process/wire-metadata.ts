import type { Metadata } from '@grpc/grpc-js';

/** A copy of metadata as it would arrive over HTTP/2: see {@link joinValues}. */
export function wireMetadata(sent: Metadata): Metadata {
  return joinValues(sent.clone());
}

/**
 * Makes one value of the text values of a key that has several, joined by commas, as HTTP/2
 * does (RFC 9110 §5.3), so that nobody can tell the transports apart by them.
 */
export function joinValues(metadata: Metadata): Metadata {
  for (const key of Object.keys(metadata.getMap())) {
    if (key.endsWith('-bin')) continue;
    const values = metadata.get(key);
    if (values.length > 1) metadata.set(key, values.join(', '));
  }
  return metadata;
}
