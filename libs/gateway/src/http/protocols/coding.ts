import { promisify } from 'node:util';
import { Code } from '@apix/contracts';
import { codingQuality } from '@apix/contracts/internal';
import { quotedInput, refusal } from '../../errors.js';

interface UnpackLimits {
  readonly maxOutputLength: number;
  readonly chunkSize?: number;
}
type Unpack = (bytes: Uint8Array, limits: UnpackLimits) => Buffer;
type UnpackAside = (bytes: Uint8Array, limits: UnpackLimits) => Promise<Buffer>;
type Pack = (bytes: Uint8Array) => Promise<Uint8Array>;

interface MessageCoding {
  readonly unpack: Unpack;
  /** In another thread. */
  readonly unpackAside: UnpackAside;
  readonly pack: Pack;
}

/** Compresses messages. */
export interface Compressor {
  readonly name: string;
  readonly pack: Pack;
}

/** Below this a compressed message is hardly smaller, in bytes. */
const WORTHWHILE_BYTES = 1_024;

/** The codings that this Node has, by name, the preferred ones first. */
let known: ReadonlyMap<string, MessageCoding> | undefined;

function codings(): ReadonlyMap<string, MessageCoding> {
  if (known !== undefined) return known;
  const zlib = process.getBuiltinModule('node:zlib');
  const { constants } = zlib;
  // Quality 4 costs about what gzip does and is smaller; 11, the default, is for files.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 4 };
  const found = new Map<string, MessageCoding>([
    [
      'br',
      {
        unpack: zlib.brotliDecompressSync,
        unpackAside: promisify(zlib.brotliDecompress),
        pack: (bytes) => promisify(zlib.brotliCompress)(bytes, { params }),
      },
    ],
    [
      'gzip',
      {
        unpack: zlib.gunzipSync,
        unpackAside: promisify(zlib.gunzip),
        pack: promisify(zlib.gzip),
      },
    ],
    [
      'deflate',
      {
        unpack: zlib.inflateSync,
        unpackAside: promisify(zlib.inflate),
        pack: promisify(zlib.deflate),
      },
    ],
  ]);
  // Since Node 22.15 and 23.8.
  const zstd = zlib as typeof zlib & ZstdOfNode;
  const { zstdDecompressSync: unpack, zstdDecompress, zstdCompress } = zstd;
  if (unpack !== undefined && zstdDecompress !== undefined && zstdCompress !== undefined) {
    const unpackAside = promisify(zstdDecompress);
    found.set('zstd', { unpack, unpackAside, pack: promisify(zstdCompress) });
  }
  known = found;
  return found;
}

interface ZstdOfNode {
  readonly zstdDecompressSync?: Unpack;
  readonly zstdDecompress?: (
    bytes: Uint8Array,
    limits: UnpackLimits,
    done: (error: Error | null, out: Buffer) => void,
  ) => void;
  readonly zstdCompress?: (
    bytes: Uint8Array,
    done: (error: Error | null, out: Buffer) => void,
  ) => void;
}

/** The names of the codings of messages, as `Accept-Encoding` lists them. */
export function codingNames(): string {
  return [...codings().keys()].join(', ');
}

/** Whether a name is that of no coding. */
export function isIdentity(name: string): boolean {
  return name === '' || name === 'identity';
}

/** @throws HttpRefusal, UNIMPLEMENTED, for the name of a coding that is not known here. */
export function assertCoding(name: string): void {
  if (isIdentity(name) || codings().has(name)) return;
  throw refusal(
    Code.UNIMPLEMENTED,
    `compression ${quotedInput(name)} is not supported; use one of ${codingNames()}`,
  );
}

/**
 * Decompresses a message.
 *
 * @param maxBytes the largest that is read; beyond it, decompressing stops.
 * @throws MessageTooLarge, or HttpRefusal for bytes that are not of the coding.
 */
export function decompressed(name: string, bytes: Uint8Array, maxBytes: number): Buffer {
  const coding = announced(name);
  // No message is smaller than its compressed form of no bytes.
  if (bytes.length === 0) return Buffer.alloc(0);
  try {
    return coding.unpack(bytes, { maxOutputLength: Math.max(1, maxBytes) });
  } catch (error) {
    throw unpackError(error, name, maxBytes);
  }
}

/** Decompresses a message of some bytes in another thread; rejects as {@link decompressed} throws. */
export async function decompressedAside(
  name: string,
  bytes: Uint8Array,
  maxBytes: number,
): Promise<Buffer> {
  const { unpackAside } = announced(name);
  try {
    return await unpackAside(bytes, { maxOutputLength: Math.max(1, maxBytes), chunkSize: PART });
  } catch (error) {
    throw unpackError(error, name, maxBytes);
  }
}

/** Bytes that another thread gives back at a time. */
const PART = 128 * 1024;

function announced(name: string): MessageCoding {
  const coding = codings().get(name);
  if (coding !== undefined) return coding;
  throw refusal(Code.INTERNAL, 'a message is compressed, and no compression was announced');
}

function unpackError(error: unknown, name: string, maxBytes: number): Error {
  return (error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE'
    ? new MessageTooLarge(maxBytes)
    : refusal(Code.INVALID_ARGUMENT, `a message cannot be decompressed: it is not ${name}`);
}

/** A message that is larger than it may be. */
export class MessageTooLarge extends Error {
  override readonly name = 'MessageTooLarge';

  constructor(maxBytes: number) {
    super(`request message: more than ${maxBytes} bytes`);
  }
}

/** The compressor of the best coding that a caller accepts; undefined if it accepts none. */
export function compressorFor(accepted: string | undefined): Compressor | undefined {
  if (accepted === undefined) return undefined;
  let best: Compressor | undefined;
  let most = 0;
  for (const [name, { pack }] of codings()) {
    const quality = codingQuality(accepted, name);
    if (quality <= most) continue;
    most = quality;
    best = { name, pack };
  }
  return best;
}

/** Whether it is worthwhile to compress a message. */
export function isWorthCompressing(bytes: Uint8Array): boolean {
  return bytes.length >= WORTHWHILE_BYTES;
}
