// What a bad document of 4 MB costs, against a good one of the same size, wherever its mistake is.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { DescMessage } from '@bufbuild/protobuf';
import { median } from '../shapes/clock.ts';
import { type Codec, codec, codecOf, descOf } from './engines.ts';
import { SHAPES, documentOf, list100 } from '../shapes/shapes.ts';

const BYTES = 4_000_000;
const GOAL = 1.5;
/** A value that cannot be one first, in the middle and last; no JSON in the middle, and at the end. */
const MISTAKES = ['first', 'middle', 'last', 'not JSON', 'cut off'] as const;
type Mistake = (typeof MISTAKES)[number];

interface Case {
  readonly name: string;
  readonly desc: DescMessage;
  readonly good: string;
  readonly bad: Readonly<Record<Mistake, string>>;
  readonly codec: Codec;
}

const rounds = Number(process.env['BAD_ROUNDS']);

/** The same with a wrong item or member of a list or an object, at the place next to `near`. */
function spoilt(text: string, near: number): string {
  const places = [...text.matchAll(/[[{,](?=["\d-])/g)].map(({ index }) => index + 1);
  const at = places.find((place) => place >= near) ?? places.at(-1)!;
  const isMember = /^"[^"]*":/.test(text.slice(at, at + 100));
  return `${text.slice(0, at)}${isMember ? '"nobody":1' : '[1]'},${text.slice(at)}`;
}

function broken(text: string): Pick<Case['bad'], 'not JSON' | 'cut off'> {
  const at = text.indexOf(',"', text.length / 2) + 1 || text.length / 2;
  return { 'not JSON': `${text.slice(0, at)}nul${text.slice(at)}`, 'cut off': text.slice(0, -1) };
}

const cases: Case[] = SHAPES.map((shape) => {
  const good = JSON.stringify(documentOf(shape, BYTES));
  const bad = {
    first: spoilt(good, 0),
    middle: spoilt(good, good.length / 2),
    last: spoilt(good, good.length),
    ...broken(good),
  };
  return { name: shape.name, desc: descOf(shape.type), good, bad, codec };
});

const half = JSON.stringify(documentOf(list100, BYTES / 2));
const strangers = `{"one":${half},"other":${half}}`;
cases.push({
  name: 'unknown members',
  desc: descOf('Products'),
  good: strangers,
  bad: {
    first: `{"products":1,"one":${half},"other":${half}}`,
    middle: `{"one":${half},"products":1,"other":${half}}`,
    last: `{"one":${half},"other":${half},"products":1}`,
    ...broken(strangers),
  },
  codec: codecOf({ unknownFields: 'ignore' }),
});

const lines = '\n'.repeat(BYTES / 2);
cases.push({
  name: 'ends of lines',
  desc: descOf('Products'),
  good: `{${lines}${lines}}`,
  bad: {
    first: `{"nobody":1${lines}${lines}}`,
    middle: `{${lines}"nobody":1${lines}}`,
    last: `{${lines}${lines}"nobody":1}`,
    'not JSON': `{${lines}nul${lines}}`,
    'cut off': `{${lines}${lines}`,
  },
  codec,
});

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as (how: { readonly type: 'minor' }) => void;

/** CPU time of what runs. What the one before left in the young generation is not counted. */
function milliseconds(run: () => unknown): number {
  collectGarbage({ type: 'minor' });
  const { user, system } = process.cpuUsage();
  run();
  const spent = process.cpuUsage();
  return (spent.user - user + spent.system - system) / 1_000;
}

function refused(read: () => unknown, name: string): void {
  try {
    read();
  } catch {
    return;
  }
  throw new Error(`a bad document was accepted: ${name}`);
}

const columns = (cells: readonly string[]): string =>
  cells.map((cell, i) => (i === 0 ? cell.padEnd(24) : cell.padStart(11))).join('');
/** How a document is read; undefined: there is no such way. */
const WAYS: Readonly<Record<string, ((one: Case, json: Buffer) => unknown) | undefined>> = {
  'JSON to message': ({ codec: reader, desc }, json) => reader.decode(desc, json),
  'JSON to wire': codec.toWire && (({ codec: reader, desc }, json) => reader.toWire?.(desc, json)),
};

let longest = { took: 0, what: '' };
let worst = 0;

/** Prints the row of a case. */
function measure(one: Case, read: (one: Case, json: Buffer) => unknown): void {
  const good = Buffer.from(one.good);
  const bad = MISTAKES.map((mistake) => Buffer.from(one.bad[mistake]));
  const native: number[] = [];
  const fine: number[] = [];
  const failing: number[][] = MISTAKES.map(() => []);
  const hold = (what: string, run: () => unknown): number => {
    const begun = performance.now();
    const took = milliseconds(run);
    const held = performance.now() - begun;
    if (held > longest.took) longest = { took: held, what: `${one.name}, ${what}` };
    return took;
  };
  read(one, good);
  for (let round = 0; round < rounds; round++) {
    native.push(milliseconds(() => JSON.parse(good.toString()) as unknown));
    fine.push(hold('good', () => read(one, good)));
    for (const [i, json] of bad.entries()) {
      failing[i].push(hold(MISTAKES[i], () => refused(() => read(one, json), one.name)));
    }
  }
  const ratios = failing.map((times) => median(times) / median(fine));
  worst = Math.max(worst, ...ratios);
  const absolute = [native, fine].map((times) => median(times).toFixed(0));
  console.log(columns([one.name, ...absolute, ...ratios.map((ratio) => ratio.toFixed(2))]));
}

console.log(
  `\nBad documents of 4 MB, × a good one of the same shape (goal ≤ ${GOAL}), by where the mistake is; ` +
    `medians of ${rounds}, milliseconds of CPU`,
);
for (const [way, read] of Object.entries(WAYS)) {
  if (read === undefined) continue;
  console.log(`\n${columns([way, 'JSON.parse', 'good', ...MISTAKES])}`);
  for (const one of cases) measure(one, read);
}
console.log(`the worst: ${worst.toFixed(2)} ≤ ${GOAL}: ${worst <= GOAL ? 'yes' : 'NO'}`);
console.log(
  `the longest hold of the loop for one document: ${longest.took.toFixed(0)} ms (${longest.what})`,
);
