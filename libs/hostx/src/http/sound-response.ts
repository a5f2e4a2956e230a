import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { writePart } from '@apix/contracts';

type Done = (error: Error) => void;

/**
 * Node's response of HTTP/2, for handlers of others. It leaves out empty parts: one at the end of what a turn writes
 * would make Node send freed memory in place of the parts before it.
 */
// Why: docs/decisions/0182
export function soundResponse(): typeof Http2ServerResponse {
  const { Http2ServerResponse: Response } = process.getBuiltinModule('node:http2');
  return class SoundResponse<Request extends Http2ServerRequest> extends Response<Request> {
    override write(chunk: string | Uint8Array, done?: Done): boolean;
    override write(chunk: string | Uint8Array, encoding: BufferEncoding, done?: Done): boolean;
    override write(
      chunk: string | Uint8Array,
      encoding?: BufferEncoding | Done,
      done?: Done,
    ): boolean {
      const written = typeof encoding === 'function' ? encoding : done;
      if (chunk.length > 0 || this.writableEnded) {
        return super.write(chunk, typeof encoding === 'string' ? encoding : 'utf8', written);
      }
      if (written !== undefined) process.nextTick(written);
      return writePart(this, chunk);
    }
  };
}
