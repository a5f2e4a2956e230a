import type { ZlibOptions } from 'node:zlib';
import { status } from '@grpc/grpc-js';
import type { CompressionAlgorithm } from '@apix/grpc-client/core';
import type { SentStatus } from '../in-process/handler-call.js';

type Inflated = { readonly bytes: Buffer } | { readonly refusal: SentStatus };

/** Compresses a message; calls back with undefined where that fails. */
export function compressAnswer(
  algorithm: CompressionAlgorithm,
  bytes: Buffer,
  done: (result: Buffer | undefined) => void,
): void {
  const { [algorithm]: compress } = process.getBuiltinModule('node:zlib');
  compress(bytes, (error, result) => done(error === null ? result : undefined));
}

/**
 * Decompresses a message, at most to the limit. Statuses are those of grpc-js.
 *
 * @param encoding `grpc-encoding` of the request.
 */
export function decompressRequest(
  encoding: string,
  bytes: Buffer,
  maxBytes: number,
  done: (result: Inflated) => void,
): void {
  if (encoding !== 'gzip' && encoding !== 'deflate') {
    done({ refusal: unknownEncoding(encoding) });
    return;
  }
  const options: ZlibOptions =
    maxBytes === Infinity ? {} : { maxOutputLength: Math.max(1, maxBytes) };
  const { gunzip, inflate } = process.getBuiltinModule('node:zlib');
  const decompress = encoding === 'gzip' ? gunzip : inflate;
  decompress(bytes, options, (error, result) => {
    if (error === null) done({ bytes: result });
    else if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      const details = `Received message that decompresses to a size larger than ${maxBytes}`;
      done({ refusal: refusal(status.RESOURCE_EXHAUSTED, details) });
    } else done({ refusal: refusal(status.INTERNAL, 'Failed to decompress message') });
  });
}

function unknownEncoding(encoding: string): SentStatus {
  if (encoding === 'identity') {
    const details = 'a message is marked as compressed, and grpc-encoding names no compression';
    return refusal(status.INTERNAL, details);
  }
  const details = `Received message compressed with unsupported encoding "${encoding}"`;
  return refusal(status.UNIMPLEMENTED, details);
}

function refusal(code: status, details: string): SentStatus {
  return { code, details, metadata: null };
}
