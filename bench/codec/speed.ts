// Each way of each shape by every engine in turn: how many times as fast as protobuf-es.
import { isDeepStrictEqual } from 'node:util';
import {
  type DescMessage,
  type Message,
  fromBinary,
  fromJsonString,
  toBinary,
} from '@bufbuild/protobuf';
import { median, timed } from '../shapes/clock.ts';
import {
  GOALS,
  type StaticType,
  WAYS,
  type Way,
  type Ways,
  descOf,
  nativeJson,
  ours,
  protobufEs,
  protobufjs,
  registry,
} from './engines.ts';
import { SHAPES, type Shape, documentOf, list100, small } from '../shapes/shapes.ts';

const ENGINES = ['protobuf-es', 'apix', 'protobufjs', 'JSON'] as const;
type Engine = (typeof ENGINES)[number];

interface Subject {
  readonly name: string;
  readonly ways: Readonly<Record<Engine, Ways>>;
}

const rounds = Number(process.env['ROUNDS']);
const sliceMs = Number(process.env['SLICE_MS']);
const generated = (await import(process.env['STATIC'] ?? '')) as {
  default: { bench: { shapes: Record<string, StaticType> } };
};
const staticTypes = generated.default.bench.shapes;

function subject(name: string, shape: Shape, document: unknown): Subject {
  const desc = descOf(shape.type);
  const json = Buffer.from(JSON.stringify(document));
  const wire = Buffer.from(toBinary(desc, fromJsonString(desc, json.toString(), { registry })));
  const ways = {
    'protobuf-es': protobufEs(desc, json, wire),
    apix: ours(desc, json, wire),
    protobufjs: protobufjs(staticTypes[shape.type], json, wire),
    JSON: nativeJson(json),
  };
  agree(name, ways, desc, document);
  return { name: `${name}, ${json.length} bytes`, ways };
}

/** Nothing is measured that does not do the same. */
function agree(name: string, ways: Subject['ways'], desc: DescMessage, document: unknown): void {
  // Of the same class in every message, whose bytes fields are parts of it.
  const messageOf = (wire: Uint8Array): Message => fromBinary(desc, new Uint8Array(wire));
  const expected = messageOf(ways['protobuf-es']['message to wire']!() as Uint8Array);
  const isRight = (engine: Engine, way: Way, result: unknown): boolean => {
    if (way.endsWith('to JSON')) return isDeepStrictEqual(JSON.parse(String(result)), document);
    if (way.endsWith('to wire')) return isDeepStrictEqual(messageOf(result as Buffer), expected);
    // Messages of others have another form.
    if (engine !== 'apix') return true;
    return isDeepStrictEqual(messageOf(toBinary(desc, result as Message)), expected);
  };
  for (const engine of ENGINES) {
    for (const way of WAYS) {
      const run = ways[engine][way];
      if (run === undefined || isRight(engine, way, run())) continue;
      throw new Error(`${engine} differs on ${name}, ${way}`);
    }
  }
}

const subjects = [
  subject('small message', small, small.document(1)),
  subject('list of 100', list100, list100.document(100)),
  ...SHAPES.filter((shape) => shape !== list100).map((shape) =>
    subject(shape.name, shape, documentOf(shape, 20_000)),
  ),
  subject('list of messages', list100, documentOf(list100, 1_000_000)),
];

// A process that serves more than one type has warmed up with all of them.
for (const { ways } of subjects) {
  for (const engine of ENGINES) for (const run of Object.values(ways[engine])) timed(run, sliceMs);
}

/** Microseconds by engine, of each round. */
function measure(ways: Subject['ways'], way: Way): Map<Engine, number[]> {
  const times = new Map<Engine, number[]>();
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < ENGINES.length; turn++) {
      const engine = ENGINES[(round + turn) % ENGINES.length];
      const run = ways[engine][way];
      if (run === undefined) continue;
      times.set(engine, [...(times.get(engine) ?? []), timed(run, sliceMs)]);
    }
  }
  return times;
}

const products = new Map<Way, number[]>();
console.log(
  `Times as fast as protobuf-es, medians of ${rounds} interleaved rounds, Node ${process.version}; ` +
    'JSON is JSON.parse and JSON.stringify, which is the limit',
);
const columns = (cells: readonly string[]): string =>
  cells.map((cell, i) => (i === 0 ? cell.padEnd(38) : cell.padStart(12))).join('');
for (const way of WAYS) {
  const goal = GOALS[way];
  console.log(`\n${columns([`${way} (goal ${goal})`, 'µs of es', 'apix', 'protobufjs', 'JSON'])}`);
  for (const { name, ways } of subjects) {
    const times = measure(ways, way);
    const base = times.get('protobuf-es')!;
    const ratio = (engine: Engine): number | undefined => {
      const own = times.get(engine);
      return own && median(own.map((time, round) => base[round] / time));
    };
    const own = ratio('apix');
    if (own !== undefined) products.set(way, [...(products.get(way) ?? []), own]);
    const shown = (engine: Engine): string => ratio(engine)?.toFixed(2) ?? '-';
    const cells = [
      name,
      median(base).toFixed(1),
      shown('apix'),
      shown('protobufjs'),
      shown('JSON'),
    ];
    console.log(columns(cells));
  }
}
console.log();
for (const way of WAYS) {
  const ratios = products.get(way);
  if (ratios === undefined) console.log(`${way}: apix has no such way of its own`);
  else {
    const mean = Math.exp(ratios.reduce((sum, it) => sum + Math.log(it), 0) / ratios.length);
    const met = mean >= GOALS[way] ? 'yes' : 'NO';
    console.log(
      `${way}: ${mean.toFixed(2)} ≥ ${GOALS[way]}, the geometric mean of all shapes: ${met}`,
    );
  }
}
