import { status as GrpcStatus } from '@grpc/grpc-js';
import { type ZlibOptions, deflate, gunzip, gzip, inflate } from 'node:zlib';
import type { StatusOfClient } from './call-end.js';
import type { MessageFrame } from './frame-reader.js';

type Done = (result: { readonly bytes: Buffer } | { readonly failure: StatusOfClient }) => void;

/** The algorithms for requests and answers (compression.md). */
export type Algorithm = 'gzip' | 'deflate';

const ALGORITHMS = {
  gzip: { compress: gzip, decompress: gunzip },
  deflate: { compress: deflate, decompress: inflate },
};

/** Compresses a message. */
export function compressMessage(algorithm: Algorithm, bytes: Uint8Array, done: Done): void {
  ALGORITHMS[algorithm].compress(bytes, (error, result) => {
    if (error === null) done({ bytes: result });
    else done({ failure: { code: GrpcStatus.INTERNAL, details: 'Failed to write message' } });
  });
}

/**
 * The message of a compressed frame. Errors have the words of grpc-js.
 *
 * @param encoding `grpc-encoding` of the answer; undefined if there is none.
 * @param maxBytes of the message, -1 for no limit. Inflating ends there.
 */
export function decompressMessage(
  { bytes }: MessageFrame,
  encoding: string | undefined,
  maxBytes: number,
  done: Done,
): void {
  if (encoding !== 'gzip' && encoding !== 'deflate') {
    const details =
      encoding === undefined || encoding === 'identity'
        ? 'Received compressed message but "grpc-encoding" header was identity'
        : `Received message compressed with unsupported compression method ${encoding}`;
    done({ failure: { code: GrpcStatus.INTERNAL, details } });
    return;
  }
  const options: ZlibOptions = maxBytes === -1 ? {} : { maxOutputLength: Math.max(1, maxBytes) };
  ALGORITHMS[encoding].decompress(bytes, options, (error, result) => {
    if (error === null) done({ bytes: result });
    else if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      const details = `Received message that decompresses to a size larger than ${maxBytes}`;
      done({ failure: { code: GrpcStatus.RESOURCE_EXHAUSTED, details } });
    } else {
      const details = `Failed to decompress ${encoding}-encoded message`;
      done({ failure: { code: GrpcStatus.INTERNAL, details } });
    }
  });
}
