import type { Compression } from '../suite/axes.js';
import type { MessageContents, RawRequest } from '../suite/schema.js';
import { algorithmOf } from './compression.js';
import type { Head } from './connection.js';
import { envelope } from './frames.js';

/** A request that a case spells out, with all that is wrong with it. */
export function rawRequest(raw: RawRequest): { readonly head: Head; readonly body: Buffer } {
  const { verb, uri, rawQueryParams, encodedQueryParams } = raw;
  const query = new URLSearchParams();
  for (const { name, value } of rawQueryParams) for (const each of value) query.append(name, each);
  for (const { name, value, base64Encode } of encodedQueryParams) {
    const bytes = contentsOf(value);
    query.append(name, bytes.toString(base64Encode ? 'base64url' : 'utf8'));
  }
  const path = query.size === 0 ? uri : `${uri}${uri.includes('?') ? '&' : '?'}${query.toString()}`;
  const headers = Object.fromEntries(raw.headers.map(({ name, value }) => [name, value]));
  return { head: { method: verb, path, headers }, body: bodyOf(raw) };
}

function bodyOf({ body }: RawRequest): Buffer {
  if (body.case === 'unary') return contentsOf(body.value);
  const items = body.case === 'stream' ? body.value.items : [];
  return Buffer.concat(
    items.map(({ flags, length, payload }) => envelope(flags, contentsOf(payload), length)),
  );
}

function contentsOf(contents: MessageContents | undefined): Buffer {
  const { data, compression } = contents ?? { data: { case: undefined }, compression: 0 };
  if (data.case === undefined) return Buffer.alloc(0);
  const bytes =
    data.case === 'text' ? data.value : data.case === 'binary' ? data.value : data.value.value;
  const plain = Buffer.from(bytes as Uint8Array);
  // Without it, Node cannot compress as the case asks; the servers that are meant do not know the name either.
  return algorithmOf(compression as Compression)?.compress(plain) ?? plain;
}
