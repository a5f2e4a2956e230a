import { CompressionError } from '../../libs/http2/src/hpack/compression-error.js';
import { HeaderDecoder } from '../../libs/http2/src/hpack/header-decoder.js';
import { HeaderEncoder } from '../../libs/http2/src/hpack/header-encoder.js';
import { Random } from '../random.js';
import { Nghttp2Decoder, Nghttp2Encoder } from './nghttp2.js';
import { type Pairs, RandomEncoder } from './random-encoder.js';

const LISTS_OF_CONNECTION = 50;
const TABLE_SIZES = [0, 33, 100, 1_000, 4_096, 65_536];
/** About the lengths at which numbers of HPACK take one byte more. */
const LENGTHS = [0, 1, 2, 5, 14, 15, 16, 30, 62, 126, 127, 128, 254, 255, 256, 1_000, 5_000];
const NAMES = [
  ':path',
  ':status',
  'accept',
  'cookie',
  'authorization',
  'x-a',
  'x-b',
  'x-long-name',
  'te',
  '',
];

/** Header lists there and back with nghttp2; returns the number of mistakes. */
export function runHpack(count: number, seed: number): number {
  const begun = performance.now();
  const totals = { lists: 0, garbled: 0, refused: 0 };
  const mistakes: string[] = [];
  for (let connection = 0; totals.lists < count; connection += 1) {
    const random = new Random(Math.imul(seed, 0x9e3779b1) ^ Math.imul(connection + 1, 0x85ebca6b));
    const found = [...thereAndBack(random), ...garbled(random, totals)];
    mistakes.push(...found.map((text) => `connection ${connection}: ${text}`));
    totals.lists += LISTS_OF_CONNECTION;
  }
  for (const mistake of mistakes.slice(0, 10)) console.log(`WRONG ${mistake}`);
  const seconds = ((performance.now() - begun) / 1_000).toFixed(0);
  console.log(
    `${totals.lists} header lists of seed ${seed} there and back with nghttp2, ${totals.garbled} garbled blocks, ` +
      `${totals.refused} of them refused, ${mistakes.length} mistakes (${seconds} s)`,
  );
  return mistakes.length;
}

function thereAndBack(random: Random): readonly string[] {
  const mistakes: string[] = [];
  const ours = { encoder: new HeaderEncoder(), decoder: new HeaderDecoder() };
  const theirs = { encoder: new Nghttp2Encoder(), decoder: new Nghttp2Decoder() };
  const free = {
    encoder: new RandomEncoder(random),
    decoder: new HeaderDecoder(),
    theirs: new Nghttp2Decoder(),
  };
  const expectSame = (way: string, found: Pairs | undefined, wanted: Pairs): void => {
    if (!areSame(found, wanted)) mistakes.push(`${way}: ${shown(found)}, not ${shown(wanted)}`);
  };
  for (let nth = 0; nth < LISTS_OF_CONNECTION && mistakes.length === 0; nth += 1) {
    for (let times = random.below(12) === 0 ? 1 + random.below(2) : 0; times > 0; times -= 1) {
      const size = random.pick(TABLE_SIZES);
      ours.encoder.resize(size);
      theirs.decoder.resize(size);
      theirs.encoder.resize(Math.min(size, 4_096));
    }
    const list = randomList(random);
    expectSame('ours to nghttp2', theirs.decoder.decode(ours.encoder.encode(list.flat(), 0)), list);
    const block = theirs.encoder.encode(list, () => random.below(6) === 0);
    expectSame('nghttp2 to ours', decoded(ours.decoder, block), list);
    const any = free.encoder.encode(list);
    expectSame('random to ours', decoded(free.decoder, any), list);
    expectSame('random to nghttp2', free.theirs.decode(any), list);
  }
  for (const each of [theirs.encoder, theirs.decoder, free.theirs]) each.end();
  return mistakes;
}

/** Blocks whose bytes are cut or changed: the same end at both, however they are decoded after. */
function garbled(random: Random, totals: { garbled: number; refused: number }): readonly string[] {
  const mistakes: string[] = [];
  const encoder = new RandomEncoder(random);
  let [ours, theirs] = [new HeaderDecoder(), new Nghttp2Decoder()];
  for (let nth = 0; nth < LISTS_OF_CONNECTION && mistakes.length === 0; nth += 1) {
    const block = mangled(encoder.encode(randomList(random)), random);
    const [our, their] = [decoded(ours, block), theirs.decode(block)];
    totals.garbled += 1;
    if (our === undefined) totals.refused += 1;
    if (!areSame(our, their) && !isKnown(block, our, their)) {
      mistakes.push(`garbled ${block.toString('hex')}: ${shown(our)}, nghttp2 ${shown(their)}`);
    }
    if (our !== undefined && their !== undefined) continue;
    theirs.end();
    [ours, theirs] = [new HeaderDecoder(), new Nghttp2Decoder()];
  }
  theirs.end();
  return mistakes;
}

/** nghttp2 takes as many sizes of the table as come; here it is the two that a block may begin with. */
function isKnown(block: Buffer, our: Pairs | undefined, their: Pairs | undefined): boolean {
  return our === undefined && their !== undefined && (block[0]! & 0xe0) === 0x20;
}

function mangled(block: Buffer, random: Random): Buffer {
  if (block.length === 0 || random.below(4) === 0) return block;
  if (random.below(3) === 0) return block.subarray(0, random.below(block.length));
  const copy = Buffer.from(block);
  for (let left = 1 + random.below(3); left > 0; left -= 1) {
    copy[random.below(copy.length)] = random.below(256);
  }
  return copy;
}

function randomList(random: Random): Pairs {
  return Array.from({ length: random.below(9) }, () => [
    random.below(5) > 0 ? random.pick(NAMES) : `n-${random.below(30)}`,
    randomValue(random),
  ]);
}

function randomValue(random: Random): string {
  if (random.below(2) === 0)
    return random.pick(['', '1', 'GET', '/', '200', 'gzip, deflate', 'acme']);
  const length = random.pick(LENGTHS);
  if (random.below(2) === 0) return 'abc 019%'.charAt(random.below(8)).repeat(length);
  return random.bytes(Math.min(length, 300)).toString('latin1');
}

/** @returns undefined where it is no block. */
function decoded(decoder: HeaderDecoder, block: Buffer): Pairs | undefined {
  const headers: [string, string][] = [];
  try {
    decoder.decode(block, ({ name, value }) => headers.push([name, value]));
    return headers;
  } catch (error) {
    if (error instanceof CompressionError) return undefined;
    throw error;
  }
}

function areSame(a: Pairs | undefined, b: Pairs | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return (
    a.length === b.length &&
    a.every(([name, value], at) => name === b[at]![0] && value === b[at]![1])
  );
}

function shown(headers: Pairs | undefined): string {
  return headers === undefined ? 'no block' : JSON.stringify(headers).slice(0, 300);
}
