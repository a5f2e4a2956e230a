import { parseArgs } from 'node:util';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { JsonCodec, ProtoRegistry, optionOf } from '@apix/proto/core';
import {
  type DescExtension,
  type DescField,
  type DescMessage,
  type DescMethod,
  create,
  toBinary,
} from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { toolSchemaOf } from '../../libs/mcp/src/schema/tool-schema.js';
import { Dice } from '../../libs/proto/src/differential/dice.fixture.js';
import { randomTypes } from '../../libs/proto/src/differential/random-types.fixture.js';
import { Random } from '../random.js';
import { type Types, randomDocument } from './documents.js';
import { MUTATIONS, type Mutation, type Takers, estranged, textOf } from './mutations.js';

const { values } = parseArgs({
  options: {
    cases: { type: 'string' },
    seed: { type: 'string', default: '1' },
    quick: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed);
const cases = Number(values.cases ?? (values.quick ? 3_000 : 20_000));
/** What google-proto-files 5.0.3 has: another number means that not all of them were read. */
const METHODS = 13_458;
/** Documents of one type. */
const A_TYPE = values.quick ? 50 : 25;

const begun = performance.now();
let ajv = schemaCompiler();
let compilations = 0;
const mistakes: string[] = [];
/** How often each change was made. */
const counts = new Map<string, number>(MUTATIONS.map(({ name }) => [name, 0]));
const strange = { taken: 0, refused: 0 };
let documents = 0;

const google = ProtoRegistry.load(process.env['GOOGLE_SET']!);
const methods = [...google.methods.values()];
if (methods.length !== METHODS) mistakes.push(`${methods.length} methods, must be ${METHODS}`);
const random = new Random(seed);
const compiled = compileAll(
  values.quick ? methods.filter((_, at) => at % 50 === seed % 50) : methods,
);

compare(google, inputsOf(methods), Math.floor(cases / 2));
const tools = ProtoRegistry.load('libs/mcp/testdata/tools.binpb');
compare(tools, [tools.registry.getMessage('tools.v1.Thing')!], Math.floor(cases / 10));
for (let number = seed * 1_000; documents < cases && mistakes.length < 20; number += 1) {
  const world = randomWorld(number);
  const types = [...world.registry].filter((desc) => desc.kind === 'message');
  // ajv looks at no member of this name.
  if (types.some(({ fields }) => fields.some(({ jsonName }) => jsonName === '__proto__'))) continue;
  compare(world, inputsOf(types), 250);
}

report();

/** Compiles the schemas of methods, each type on each side once. */
function compileAll(all: readonly DescMethod[]): number {
  const done = new Set<string>();
  for (const method of all) {
    const sides = toolSchemaOf(method, google);
    for (const side of ['input', 'output'] as const) {
      const key = `${side} ${method[side].typeName}`;
      if (done.has(key)) continue;
      done.add(key);
      try {
        validatorOf(sides[side]);
      } catch (error) {
        mistakes.push(`the ${side} of ${method.toString()} does not compile: ${String(error)}`);
      }
    }
  }
  return done.size;
}

/** To compile schemas takes longer than to use them a few times. */
function schemaCompiler(): Ajv2020 {
  const ajv = new Ajv2020({
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
    ownProperties: true,
    code: { optimize: false },
  });
  addFormats.default(ajv);
  return ajv;
}

/** Compiles a schema. What a compiler keeps of each one adds up to gigabytes. */
function validatorOf(schema: object): ValidateFunction {
  compilations += 1;
  if (compilations % 500 === 0) ajv = schemaCompiler();
  return ajv.compile(schema);
}

function compare(protos: ProtoRegistry, types: readonly DescMessage[], count: number): void {
  const codec = new JsonCodec(protos.registry);
  const known = knowledgeOf(protos);
  for (let left = count; left > 0 && mistakes.length < 20; left -= A_TYPE) {
    const desc = random.pick(types);
    // Only the types count: there need not be a method.
    const { input, output } = toolSchemaOf({ input: desc, output: desc } as DescMethod, protos);
    const validate = validatorOf(input);
    const validateOutput = validatorOf(output);
    for (let at = 0; at < Math.min(A_TYPE, left); at += 1) {
      documents += 1;
      one(desc, { codec, validate, validateOutput, known });
    }
  }
}

interface Setting {
  readonly codec: JsonCodec;
  readonly validate: ValidateFunction;
  readonly validateOutput: ValidateFunction;
  readonly known: Types;
}

/** One document of a type, which is taken, and then changed. */
function one(desc: DescMessage, { codec, validate, validateOutput, known }: Setting): void {
  const document = randomDocument(desc, random, known);
  const text = textOf(document);
  expectTakers('both', takersOf(text), 'a document of the type', text);
  const written = codec.encode(desc, codec.decode(desc, text));
  if (!validateOutput(JSON.parse(written))) {
    mistakes.push(`${desc.typeName}: the answer ${written} does not fit: ${said(validateOutput)}`);
  }
  const before = JSON.stringify(document.root);
  if (random.next() < 0.2) {
    if (!estranged(document, random)) return;
    const changed = textOf(document);
    const takers = takersOf(changed);
    if (takers === 'both') strange.taken += 1;
    else if (takers === 'neither') strange.refused += 1;
    else expectTakers('both', takers, 'a strange value', changed);
    return;
  }
  const mutation = drawn();
  const result = mutation.apply(document, random, known);
  if (result === false) return;
  counts.set(mutation.name, counts.get(mutation.name)! + 1);
  const changed = typeof result === 'string' ? result : textOf(document);
  expectTakers(
    mutation.takers,
    takersOf(changed),
    mutation.name,
    `${changed}\n  before: ${before}`,
  );

  function takersOf(json: string): Takers {
    const byCodec = isTaken(codec, desc, json);
    const bySchema = validate(JSON.parse(json));
    if (byCodec === bySchema) return byCodec ? 'both' : 'neither';
    return byCodec ? 'the codec alone' : 'the schema alone';
  }

  function expectTakers(wanted: Takers, found: Takers, what: string, json: string): void {
    if (wanted === found) return;
    const why = `codec: ${whyNot(codec, desc, json.split('\n')[0]!)}; schema: ${said(validate)}`;
    mistakes.push(
      `${desc.typeName}: ${what} is taken by ${found}, must be by ${wanted} (${why}):\n  ${json}`,
    );
  }
}

/** What is rare is drawn as often as what is not. */
function drawn(): Mutation {
  const least = Math.min(...counts.values());
  const rare = MUTATIONS.filter(({ name }) => counts.get(name)! <= least + 2);
  return random.next() < 0.3 ? random.pick(rare) : random.pick(MUTATIONS);
}

function isTaken(codec: JsonCodec, desc: DescMessage, json: string): boolean {
  return whyNot(codec, desc, json) === '';
}

function whyNot(codec: JsonCodec, desc: DescMessage, json: string): string {
  try {
    codec.toWire(desc, json);
    return '';
  } catch (error) {
    return String(error);
  }
}

function said({ errors }: ValidateFunction): string {
  return (errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`).join(', ');
}

function inputsOf(from: readonly (DescMethod | DescMessage)[]): DescMessage[] {
  const types = from.map((each) => (each.kind === 'rpc' ? each.input : each));
  return [...new Set(types)].filter((desc) => !isSpecial(desc));
}

/** Whether a type is not an object of its fields. */
function isSpecial({ typeName }: DescMessage): boolean {
  return typeName.startsWith('google.protobuf.') && typeName !== 'google.protobuf.Empty';
}

function knowledgeOf({ registry }: ProtoRegistry): Types {
  const extensions = [...registry].filter((desc) => desc.kind === 'extension');
  const behaviour = registry.getExtension('google.api.field_behavior');
  const [REQUIRED, OUTPUT_ONLY] = [2, 3];
  return {
    extensionsOf: (desc: DescMessage): readonly DescExtension[] =>
      extensions.filter(({ extendee }) => extendee.typeName === desc.typeName),
    isDemanded: (field: DescField): boolean => {
      if (behaviour === undefined || field.oneof !== undefined) return false;
      const found = (optionOf(field, behaviour) ?? []) as readonly number[];
      return found.includes(REQUIRED) && !found.includes(OUTPUT_ONLY);
    },
  };
}

/** Types of proto2, proto3 and edition 2023 that nobody wrote, with groups, extensions and required fields. */
function randomWorld(number: number): ProtoRegistry {
  const { registry } = randomTypes(new Dice(number));
  const file = Array.from(registry.files, ({ proto }) => proto);
  return ProtoRegistry.load(
    toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file })),
  );
}

function report(): void {
  for (const takers of ['the codec alone', 'the schema alone'] as const) {
    console.log(`taken by ${takers}:`);
    for (const mutation of MUTATIONS) {
      if (mutation.takers === takers)
        console.log(`  ${mutation.name}: ${counts.get(mutation.name)}`);
    }
  }
  for (const [name, times] of counts) {
    if (times === 0) mistakes.push(`no document had the change "${name}"`);
  }
  for (const mistake of mistakes) console.log(`FAILED ${mistake}`);
  const seconds = ((performance.now() - begun) / 1_000).toFixed(0);
  console.log(
    `${compiled} schemas compiled; ${documents} documents of seed ${seed}, ` +
      `${strange.taken} with a strange value taken and ${strange.refused} refused by both, ` +
      `${mistakes.length} not as they must be (${seconds} s)`,
  );
  if (mistakes.length > 0) process.exitCode = 1;
}
