import { loadKoffi } from '../../libs/hostx-os/src/load-koffi.js';
import type { Pairs } from './random-encoder.js';

const koffi = loadKoffi();
const library = koffi.load('libnghttp2.so.14');
// The prototypes below name it.
koffi.struct('nghttp2_nv', {
  name: 'uint8_t *',
  value: 'uint8_t *',
  namelen: 'size_t',
  valuelen: 'size_t',
  flags: 'uint8_t',
});
const INFLATE_FINAL = 1;
const INFLATE_EMIT = 2;
const NO_INDEX = 1;
const ROOM = 1 << 18;

interface Field {
  readonly name: unknown;
  readonly value: unknown;
  readonly namelen: number;
  readonly valuelen: number;
}

const newDeflater = library.func('int nghttp2_hd_deflate_new(_Out_ void **, size_t)');
const deleteDeflater = library.func('void nghttp2_hd_deflate_del(void *)');
const resizeDeflater = library.func('int nghttp2_hd_deflate_change_table_size(void *, size_t)');
const deflate = library.func(
  'intptr_t nghttp2_hd_deflate_hd(void *, _Out_ uint8_t *, size_t, nghttp2_nv *, size_t)',
);
const newInflater = library.func('int nghttp2_hd_inflate_new(_Out_ void **)');
const deleteInflater = library.func('void nghttp2_hd_inflate_del(void *)');
const resizeInflater = library.func('int nghttp2_hd_inflate_change_table_size(void *, size_t)');
const inflate = library.func(
  'intptr_t nghttp2_hd_inflate_hd2(void *, _Out_ nghttp2_nv *, _Out_ int *, uint8_t *, size_t, int)',
);
const endHeaders = library.func('int nghttp2_hd_inflate_end_headers(void *)');

/** The encoder of HPACK that nghttp2 has. */
export class Nghttp2Encoder {
  readonly #deflater: unknown;
  readonly #bytes = Buffer.alloc(ROOM);

  /** @param tableBytes the most that its table may have. */
  constructor(tableBytes = 4_096) {
    const out: unknown[] = [null];
    newDeflater(out, tableBytes);
    this.#deflater = out[0];
  }

  resize(bytes: number): void {
    resizeDeflater(this.#deflater, bytes);
  }

  /** @param isNeverKept by header: whether it is to be marked as one that is in no table. */
  encode(headers: Pairs, isNeverKept: (at: number) => boolean): Buffer {
    const fields = headers.map(([name, value], at) => ({
      name: Buffer.from(name, 'latin1'),
      value: Buffer.from(value, 'latin1'),
      namelen: name.length,
      valuelen: value.length,
      flags: isNeverKept(at) ? NO_INDEX : 0,
    }));
    const length = Number(deflate(this.#deflater, this.#bytes, ROOM, fields, fields.length));
    if (length < 0) throw new Error(`nghttp2 does not encode: ${length}`);
    return Buffer.from(this.#bytes.subarray(0, length));
  }

  end(): void {
    deleteDeflater(this.#deflater);
  }
}

/** The decoder of HPACK that nghttp2 has. */
export class Nghttp2Decoder {
  readonly #inflater: unknown;

  constructor() {
    const out: unknown[] = [null];
    newInflater(out);
    this.#inflater = out[0];
  }

  resize(bytes: number): void {
    resizeInflater(this.#inflater, bytes);
  }

  /** @returns undefined where it is no block. */
  decode(block: Buffer): Pairs | undefined {
    const headers: [string, string][] = [];
    for (let at = 0; ;) {
      const field: Partial<Field> = {};
      const flags = [0];
      const rest = block.subarray(at);
      const used = Number(inflate(this.#inflater, field, flags, rest, rest.length, 1));
      if (used < 0) return undefined;
      at += used;
      if ((flags[0]! & INFLATE_EMIT) !== 0) headers.push(pairOf(field as Field));
      if ((flags[0]! & INFLATE_FINAL) === 0) continue;
      endHeaders(this.#inflater);
      return headers;
    }
  }

  end(): void {
    deleteInflater(this.#inflater);
  }
}

function pairOf({ name, namelen, value, valuelen }: Field): [string, string] {
  return [textAt(name, namelen), textAt(value, valuelen)];
}

function textAt(pointer: unknown, length: number): string {
  if (length === 0) return '';
  return Buffer.from(koffi.decode(pointer, koffi.array('uint8_t', length)) as Uint8Array).toString(
    'latin1',
  );
}
