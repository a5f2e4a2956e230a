import type { Metadata } from '@grpc/grpc-js';

/**
 * A copy of metadata in the form in which it would arrive over HTTP/2: the text values of a key
 * that has several are one value, joined by a comma (RFC 9110 §5.3), so that nobody can tell the
 * transports apart by them.
 */
export function wireMetadata(sent: Metadata): Metadata {
  const arrived = sent.clone();
  for (const key of Object.keys(arrived.getMap())) {
    if (key.endsWith('-bin')) continue;
    const values = arrived.get(key);
    if (values.length > 1) arrived.set(key, values.join(', '));
  }
  return arrived;
}
