import { Code } from '@apix/contracts';
import { refusal } from '../../errors.js';
import { MessageTooLarge, decompressed, decompressedAside } from './coding.js';
import type { RpcFrame } from './protocol.js';

/** As much is decompressed at once, in bytes; more would hold up all other callers. */
export const AT_ONCE_BYTES = 64 * 1024;

/** As many large messages are decompressed at a time, so that their bytes are bounded. */
const AT_A_TIME = 4;

/**
 * Decompresses the messages of a gateway: a small one at once, a large one in another thread, a few at a time. The
 * others wait compressed.
 */
export class Unpacker {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  /**
   * The bytes of a message; a promise of them if they are more than {@link AT_ONCE_BYTES}.
   *
   * @param isWanted whether the bytes are still wanted, once it is the message's turn.
   * @throws HttpRefusal, or rejects, for bytes that are not of the coding, or more than `maxBytes` without it.
   */
  unpack(
    frame: RpcFrame,
    coding: string,
    maxBytes: number,
    isWanted: () => boolean,
  ): Buffer | Promise<Buffer> {
    if (!frame.isCompressed) return frame.bytes;
    return (
      unpackedWithin(frame, coding, Math.min(maxBytes, AT_ONCE_BYTES)) ??
      this.#aside(frame, coding, maxBytes, isWanted)
    );
  }

  async #aside(
    { bytes }: RpcFrame,
    coding: string,
    maxBytes: number,
    isWanted: () => boolean,
  ): Promise<Buffer> {
    if (this.#running === AT_A_TIME) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else this.#running += 1;
    try {
      if (!isWanted()) throw refusal(Code.CANCELLED, 'the call has ended before its request');
      return await decompressedAside(coding, bytes, maxBytes);
    } catch (error) {
      throw error instanceof MessageTooLarge ? tooLargeMessage(error) : error;
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}

/** The bytes of a message, if they are no more than so many; undefined otherwise. */
export function unpackedWithin(
  frame: RpcFrame,
  coding: string,
  maxBytes: number,
): Buffer | undefined {
  if (!frame.isCompressed) return frame.bytes.length <= maxBytes ? frame.bytes : undefined;
  if (maxBytes <= 0) return undefined;
  try {
    return decompressed(coding, frame.bytes, maxBytes);
  } catch (error) {
    if (error instanceof MessageTooLarge) return undefined;
    throw error;
  }
}

function tooLargeMessage(error: MessageTooLarge): Error {
  return refusal(Code.RESOURCE_EXHAUSTED, error.message);
}
