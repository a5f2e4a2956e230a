import { type DescMessage, type Message } from '@bufbuild/protobuf';
import { mayLackFields } from '../message/required-fields.js';
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
  if ((textBytes + 1) * WIRE_BYTES_OF_JSON <= maxBytes && !mayLackFields(desc)) return true;
  return wireCodec(desc).encode(message).length <= maxBytes;
}
