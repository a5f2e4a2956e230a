import type { CallMetadata, OutgoingMetadata } from '@apix/contracts';
import type { TextMapGetter, TextMapSetter } from '@opentelemetry/api';

/** Keys that may be sent in several parts (W3C Trace Context, W3C Baggage). */
const LISTS: ReadonlySet<string> = new Set(['tracestate', 'baggage']);

/**
 * Reads the trace of a caller from its metadata. A key with several values is ignored, unless it is a list
 * (W3C Trace Context §3.2.2.1).
 */
export const metadataGetter: TextMapGetter<CallMetadata> = {
  get(metadata, key) {
    const values = metadata.get(key);
    if (values.length <= 1) return values[0];
    return LISTS.has(key) ? values.join(',') : undefined;
  },
  keys: (metadata) => [...metadata.keys()],
};

/** Puts a value instead of those that are there. */
export const metadataSetter: TextMapSetter<OutgoingMetadata> = {
  set: (metadata, key, value) => metadata.set(key, value),
};
