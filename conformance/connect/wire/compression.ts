import zlib from 'node:zlib';
import { Compression } from '../suite/axes.js';

interface Bound {
  /** In bytes; more is an error of the code ERR_BUFFER_TOO_LARGE. */
  readonly maxOutputLength?: number;
}

interface Algorithm {
  readonly name: string;
  readonly compress: (data: Uint8Array) => Buffer;
  readonly decompress: (data: Uint8Array, options?: Bound) => Buffer;
}

/** Node has it since 22.15. */
const { zstdCompressSync, zstdDecompressSync } = zlib as Partial<
  Record<'zstdCompressSync' | 'zstdDecompressSync', (data: Uint8Array, bound?: Bound) => Buffer>
>;
export const hasZstd = zstdCompressSync !== undefined;

const ALGORITHMS: Readonly<Partial<Record<Compression, Algorithm>>> = {
  [Compression.gzip]: { name: 'gzip', compress: zlib.gzipSync, decompress: zlib.gunzipSync },
  [Compression.br]: {
    name: 'br',
    compress: zlib.brotliCompressSync,
    decompress: zlib.brotliDecompressSync,
  },
  [Compression.deflate]: {
    name: 'deflate',
    compress: zlib.deflateSync,
    decompress: zlib.inflateSync,
  },
  ...(zstdCompressSync !== undefined &&
    zstdDecompressSync !== undefined && {
      [Compression.zstd]: {
        name: 'zstd',
        compress: zstdCompressSync,
        decompress: zstdDecompressSync,
      },
    }),
};

export function algorithmOf(compression: Compression): Algorithm | undefined {
  return ALGORITHMS[compression];
}

/** Bytes under the name that an answer gives for them; none, or `identity`: as they are. */
export function decompressed(name: string | undefined, data: Buffer): Buffer {
  if (name === undefined || name === 'identity' || name === '') return data;
  const found = Object.values(ALGORITHMS).find((algorithm) => algorithm.name === name);
  if (found === undefined) throw new Error(`compressed with ${name}, which was not offered`);
  return found.decompress(data);
}
