import { ScalarType } from '@bufbuild/protobuf';
import { bytesValue, scalarCheck, stringValue } from '../values/scalar-value.js';

/** One message on its way to its receiver. */
export interface Walk {
  /** The maximum size of the message on the wire, in bytes, as far as it was walked. */
  atMostBytes: number;
  /** More than this only the wire may say it takes up. */
  readonly maxBytes: number;
}

/**
 * A value as its receiver gets it. Throws for a value that cannot be sent, and {@link ODD} if only the wire
 * format can show the result.
 */
export type Take = (value: unknown, walk: Walk, depth: number) => unknown;

/** Deeper messages go through the wire, whose limit counts more than the messages. */
export const MAX_DEPTH = 30;

/** A tag and a varint, the longest that there are. */
export const NUMBER_BYTES = 15;
/** A tag and a length. */
export const HEAD_BYTES = 10;

/**
 * Thrown if only the wire format can show what the receiver gets. One object for all cases: it has no
 * stack.
 */
export const ODD = new Error('only the wire format can show what the receiver gets');

/**
 * Counts bytes that are about to be walked. A message that is too large ends here, not after all of it: one
 * that contains the same part in many places could take practically forever.
 */
export function count(walk: Walk, bytes: number): void {
  walk.atMostBytes += bytes;
  if (walk.atMostBytes > walk.maxBytes) throw ODD;
}

/** UTF-8 takes up to three bytes for a unit of UTF-16. */
export const BYTES_OF_UNIT = 3;

/** How values of a scalar type are taken. */
export function takeScalar(type: ScalarType, longAsString = false): Take {
  if (type === ScalarType.STRING) return takeString;
  if (type === ScalarType.BYTES) return takeBytes;
  return scalarCheck(type, longAsString);
}

const takeString: Take = (value, walk) => {
  const text = stringValue(value);
  count(walk, HEAD_BYTES + BYTES_OF_UNIT * text.length);
  return text;
};

const takeBytes: Take = (value, walk) => {
  const bytes = bytesValue(value);
  count(walk, HEAD_BYTES + bytes.length);
  return new Uint8Array(bytes);
};
