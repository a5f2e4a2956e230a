import { codingQuality } from '@apix/contracts';
import { promisify } from 'node:util';
import type { ResponseBody } from './response-body.js';

/** Below this a compressed body is hardly smaller, in bytes. */
const WORTHWHILE = 1_024;
const COMPRESSIBLE = /^(?:text\/|application\/(?:[\w.+-]*\+)?(?:json|xml)|application\/javascript)/;

export interface EncodedBody extends ResponseBody {
  /** `Content-Encoding`; undefined if there is none. */
  readonly encoding: 'br' | 'gzip' | undefined;
}

/** Whether the answer depends on `Accept-Encoding`, which caches must know. */
export function isCompressible({ contentType, bytes }: ResponseBody): boolean {
  return bytes.byteLength >= WORTHWHILE && COMPRESSIBLE.test(contentType);
}

/** Compresses a body with the best coding that the caller accepts (RFC 9110 §12.5.3). */
export async function compress(
  body: ResponseBody,
  acceptEncoding: string | undefined,
): Promise<EncodedBody> {
  const encoding = isCompressible(body) ? chooseEncoding(acceptEncoding) : undefined;
  if (encoding === undefined) return { ...body, encoding };
  const { brotliCompress, constants, gzip } = process.getBuiltinModule('node:zlib');
  switch (encoding) {
    case 'gzip':
      return { ...body, encoding, bytes: await promisify(gzip)(body.bytes) };
    case 'br': {
      // Quality 4 costs about what gzip does and is smaller; 11, the default, is for files.
      const params = { [constants.BROTLI_PARAM_QUALITY]: 4 };
      return { ...body, encoding, bytes: await promisify(brotliCompress)(body.bytes, { params }) };
    }
  }
}

function chooseEncoding(acceptEncoding: string | undefined): 'br' | 'gzip' | undefined {
  const [br, gz] = [codingQuality(acceptEncoding, 'br'), codingQuality(acceptEncoding, 'gzip')];
  if (br === 0 && gz === 0) return undefined;
  return br >= gz ? 'br' : 'gzip';
}
