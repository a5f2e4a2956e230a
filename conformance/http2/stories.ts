import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CompressionError } from '../../libs/http2/src/hpack/compression-error.js';
import { HeaderDecoder } from '../../libs/http2/src/hpack/header-decoder.js';
import { HeaderEncoder } from '../../libs/http2/src/hpack/header-encoder.js';

interface Story {
  readonly cases: readonly {
    readonly header_table_size?: number;
    readonly wire?: string;
    readonly headers: readonly Readonly<Record<string, string>>[];
  }[];
}

const TABLE_BYTES = 4_096;

/**
 * The stories of http2jp/hpack-test-case: blocks that other implementations have written, which must read as they say,
 * and come through our own encoder.
 *
 * @param folder a checkout of them.
 */
export function runStories(folder: string): number {
  let [blocks, skipped] = [0, 0];
  const mistakes: string[] = [];
  for (const file of storiesOf(folder)) {
    const { cases } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Story;
    const [theirs, encoder, ours] = [new HeaderDecoder(), new HeaderEncoder(), new HeaderDecoder()];
    // A larger table than ours is for a connection that has agreed on it.
    if (cases.some((it) => (it.header_table_size ?? 0) > TABLE_BYTES)) {
      skipped += 1;
      continue;
    }
    for (const [at, { wire, headers, header_table_size: size }] of cases.entries()) {
      const wanted = headers.flatMap((it) => Object.entries(it).flat());
      if (size !== undefined) encoder.resize(size);
      const own = decoded(ours, encoder.encode(wanted, 0));
      const found = wire === undefined ? wanted : decoded(theirs, Buffer.from(wire, 'hex'));
      blocks += 1;
      for (const [way, read] of [['to ours', found] as const, ['there and back', own] as const]) {
        if (read.join('\n') !== wanted.join('\n'))
          mistakes.push(`${file}, case ${at}, ${way}: ${read.join()}`);
      }
    }
  }
  for (const mistake of mistakes.slice(0, 10)) console.log(`WRONG ${mistake.slice(0, 300)}`);
  console.log(
    `${blocks} blocks of the stories, ${skipped} stories with larger tables left out, ${mistakes.length} mistakes`,
  );
  return mistakes.length + (blocks === 0 ? 1 : 0);
}

function storiesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /story_\d+\.json$/.test(file),
  );
}

function decoded(decoder: HeaderDecoder, block: Buffer): readonly string[] {
  const headers: string[] = [];
  try {
    decoder.decode(block, ({ name, value }) => headers.push(name, value));
  } catch (error) {
    if (!(error instanceof CompressionError)) throw error;
    headers.push(error.message);
  }
  return headers;
}
