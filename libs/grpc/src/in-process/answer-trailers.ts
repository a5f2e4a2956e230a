import { Metadata } from '@grpc/grpc-js';

const TRAILERS = Symbol('apix.grpc.AnswerTrailers');

interface Carrier {
  [TRAILERS]?: Metadata;
}

/**
 * The metadata that is sent with the status of a call, for a handler to add to, because its answer has no
 * place for it: `trailersOf(metadata).set('x-cost', '3')`. It is sent with errors too, unless the error has
 * trailers under the same key.
 *
 * @param metadata the metadata of the call, as the handler got it.
 */
export function trailersOf(metadata: Metadata): Metadata {
  return ((metadata as Carrier)[TRAILERS] ??= new Metadata());
}

/** The metadata sent with a status: that of the status, and what the handler has added under other keys. */
export function withTrailers(given: unknown, metadata: Metadata): unknown {
  const added = (metadata as Carrier)[TRAILERS];
  if (added === undefined) return given;
  const all = added.clone();
  if (given === undefined || given === null) return all;
  try {
    for (const [key, values] of Object.entries((given as Metadata).toJSON())) {
      all.remove(key);
      for (const value of values) all.add(key, value);
    }
    return all;
  } catch {
    // No metadata: the stages have a say about it.
    return given;
  }
}
