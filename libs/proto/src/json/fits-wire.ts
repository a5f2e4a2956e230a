import { type DescMessage, type Message } from '@bufbuild/protobuf';
import { FeatureSet_FieldPresence } from '@bufbuild/protobuf/wkt';
import { wireCodec } from '../wire/wire-codec.js';

/**
 * The maximum size on the wire of one byte of JSON, counting the comma that the first value does not have.
 * The worst case is a list of google.protobuf.DoubleValue with a tag of five bytes: `1,` in JSON is 15
 * bytes there.
 */
const WIRE_BYTES_OF_JSON = 8;

/**
 * Whether a message takes at most this many bytes on the wire, usually without writing it.
 *
 * @param textBytes the length of its JSON, or of the JSON, path and query that it was read from.
 * @throws ValueError for a required field that is not set.
 */
export function fitsWire(
  desc: DescMessage,
  message: Message,
  textBytes: number,
  maxBytes: number,
): boolean {
  if ((textBytes + 1) * WIRE_BYTES_OF_JSON <= maxBytes && !mayLack(desc)) return true;
  return wireCodec(desc).encode(message).length <= maxBytes;
}

const lacking = new WeakMap<DescMessage, boolean>();

/** Whether a message may be without a field that it must have, or hold one that is. */
function mayLack(desc: DescMessage): boolean {
  let known = lacking.get(desc);
  if (known === undefined) {
    known = [...reachedFrom(desc)].some(hasRequired);
    lacking.set(desc, known);
  }
  return known;
}

function hasRequired({ fields }: DescMessage): boolean {
  return fields.some(({ presence }) => presence === FeatureSet_FieldPresence.LEGACY_REQUIRED);
}

/** The type, and all that its messages may hold. */
function reachedFrom(desc: DescMessage): ReadonlySet<DescMessage> {
  const reached = new Set([desc]);
  for (const { fields } of reached) {
    for (const { message } of fields) if (message !== undefined) reached.add(message);
  }
  return reached;
}
