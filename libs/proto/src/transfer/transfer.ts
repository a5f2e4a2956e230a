import type { DescMessage, Message } from '@bufbuild/protobuf';
import { wireCodec } from '../wire/wire-codec.js';
import { takeMessageOf } from './take-message.js';
import type { Walk } from './walk.js';

/**
 * Copies a message for a receiver in the same process: the copy shares nothing with it and is exactly what
 * the wire would have made of it, without a round trip through bytes if its values are exactly of their
 * types.
 *
 * @throws Error where the message cannot be written, or what was written cannot be read.
 */
export function transfer(desc: DescMessage, message: Message): Message {
  const codec = wireCodec(desc);
  return tryTransfer(desc, message, Infinity) ?? codec.decode(codec.encode(message));
}

/**
 * The same, as far as it needs no wire: undefined for a message with values that are not plainly of their
 * type or with unknown fields, for one of more than 30 levels, and for one that may take up more
 * than `maxBytes` on the wire.
 */
export function tryTransfer(
  desc: DescMessage,
  message: unknown,
  maxBytes: number,
): Message | undefined {
  const walk: Walk = { atMostBytes: 0, maxBytes };
  try {
    return takeMessageOf(desc)(message, walk, 0) as Message;
  } catch {
    // Whatever the error was: writing to the wire format reports it in its own terms.
    return undefined;
  }
}
