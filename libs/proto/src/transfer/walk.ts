/** One message on its way to its receiver. */
export interface Walk {
  /** What the message takes up on the wire at most, in bytes, as far as it was walked. */
  atMostBytes: number;
  /** More than this only the wire may say it takes up. */
  readonly maxBytes: number;
}

/**
 * A value as its receiver gets it. Throws for one that it does not get, and {@link ODD} where only the
 * wire can tell.
 */
export type Take = (value: unknown, walk: Walk, depth: number) => unknown;

/** Deeper messages go through the wire, whose limit counts more than the messages. */
export const MAX_DEPTH = 30;

/** A tag and a varint, the longest that there are. */
export const NUMBER_BYTES = 15;
/** A tag and a length. */
export const HEAD_BYTES = 10;

/** Says that only the wire can tell what a message is to its receiver. One for all: it has no stack. */
export const ODD = new Error('only the wire can tell what this message is');

/**
 * Counts bytes that are about to be walked. A message that is too large ends here, not after all of
 * it: one that holds the same part in many places has no end that anybody would wait for.
 */
export function count(walk: Walk, bytes: number): void {
  walk.atMostBytes += bytes;
  if (walk.atMostBytes > walk.maxBytes) throw ODD;
}
