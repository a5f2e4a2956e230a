// One process: time per decision about a record by two terms, of four engines, and of a method without conditions.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { celConditions } from '@apix/authz/conditions';
import { Authorizer, prepareSubject, type Subject } from '@apix/authz/core';
import { toSql } from '@apix/authz/filters';
import { ProtoRegistry } from '@apix/proto/core';
import { celEnv, parse, plan } from '@bufbuild/cel';
import {
  create,
  createRegistry,
  fromBinary,
  type Message,
  setExtension,
  toBinary,
} from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { createMongoAbility, subject as typed } from '@casl/ability';
import { compileExpression } from '../../libs/authz/src/cel/compile-expression.js';
import { CEL, celMessage, type CelType } from '../../libs/authz/src/cel/cel-type.js';
import { DefinitionSchema, definitions } from '../../libs/authz/src/gen/apix/authz/authz_pb.js';
import { startCerbos } from '../../conformance/cerbos/cerbos-server.js';

const TERMS = 'resource.owner == subject.id && resource.state == 1';
const RECORD = 'records.v1.Record';
const GET = '/records.v1.Lists/Get';
const PING = '/records.v1.Records/Ping';
const LIST = '/records.v1.Lists/List';

/** The records of the tests, with these terms for a record and for a list of them. */
function registryOf(): ProtoRegistry {
  const file = new URL('../../../libs/authz/testdata/lists.binpb', import.meta.url);
  const set = fromBinary(FileDescriptorSetSchema, readFileSync(file));
  const lists = set.file.find(({ name }) => name === 'records/v1/lists.proto').service[0];
  const visible = create(DefinitionSchema, { name: 'visible', expression: TERMS });
  setExtension(lists.options!, definitions, [visible]);
  return ProtoRegistry.load(toBinary(FileDescriptorSetSchema, set));
}

const authorizer = new Authorizer(registryOf(), {
  subject: () => null,
  conditions: celConditions(),
  loaders: { [RECORD]: () => null },
});
const { input, resource: desc } = authorizer.methods.typesOf(GET)!;

const ada: Subject = prepareSubject({ id: 'ada', roles: ['user'], permissions: [] });
const request = create(input);
const records: readonly Message[] = ['ada', 'eve'].flatMap((owner) =>
  [1, 2].map((state) => create(desc, { owner, state })),
);
const rows = records.map((record) => typed('Record', { ...(record as object) }) as never);
const givens = records.map((resource) => ({ request, resource }));

const variables = new Map<string, CelType>([
  ['resource', celMessage(desc)],
  ['subject.id', CEL.string],
]);
const compiled = compileExpression(TERMS, { variables, types: () => undefined });
if (!('evaluate' in compiled)) throw new Error(JSON.stringify(compiled));
const values = records.map((resource) => ({ resource, 'subject.id': 'ada' }));

const theirs = plan(
  celEnv({ registry: createRegistry(desc) }),
  parse(TERMS.replace('subject.id', 'id')),
);
const bindings = records.map((resource) => ({ resource, id: 'ada' }));

const ability = createMongoAbility([
  { action: 'read', subject: 'Record', conditions: { owner: 'ada', state: 1 } },
]);

type Decide = (index: number) => unknown;
const ENGINES: Readonly<Record<string, Decide>> = {
  'a method without conditions': () => authorizer.authorize(undefined, PING, ada) === null,
  'the condition': (at) => compiled.evaluate(values[at]) === true,
  'authorize(), allowed': () => authorizer.authorize(undefined, GET, ada, givens[0]) === null,
  'authorize(), denied': () => authorizer.authorize(undefined, GET, ada, givens[1]) === null,
  '@bufbuild/cel': (at) => theirs(bindings[at]) === true,
  casl: (at) => ability.can('read', rows[at]),
  'a filter': () => authorizer.listFilter(undefined, LIST, ada),
  'a filter and its SQL': () =>
    toSql(authorizer.listFilter(undefined, LIST, ada), {
      columns: { owner: 'owner', state: 'state' },
    }),
};
for (const [name, decide] of Object.entries(ENGINES)) {
  if (/filter|without|authorize/.test(name)) continue;
  const answers = records.map((_, at) => decide(at));
  if (String(answers) !== 'true,false,false,false') throw new Error(`${name}: ${String(answers)}`);
}

const median = (all: readonly number[]): number =>
  all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)]!;

const times = new Map(Object.keys(ENGINES).map((name) => [name, [] as number[]]));
const CALLS = 20_000;
for (let round = 0; round < 22; round++) {
  for (const [name, decide] of Object.entries(ENGINES)) {
    const begun = process.cpuUsage();
    let count = 0;
    for (let call = 0; call < CALLS; call++) if (decide(call & 3)) count++;
    if (count < 0) throw new Error('unreachable');
    const { user, system } = process.cpuUsage(begun);
    if (round > 1) times.get(name)!.push(((user + system) * 1_000) / CALLS);
  }
}
console.log(`two terms, ${TERMS}:`);
for (const [name, all] of times) console.log(`  ${name}: ${median(all).toFixed(0)} ns`);

await overCerbos();

/** One request after the other over its socket, by its HTTP API; only where the bed of Cerbos has installed it. */
async function overCerbos(): Promise<void> {
  const binary = fileURLToPath(
    new URL(
      '../../../conformance/cerbos/node_modules/@cerbos/cerbos-linux-x64/cerbos-linux-x64',
      import.meta.url,
    ),
  );
  if (!existsSync(binary)) {
    console.log('  Cerbos: not installed; npm run conformance:cerbos does it');
    return;
  }
  const rules = [
    {
      actions: ['view'],
      effect: 'EFFECT_ALLOW',
      roles: ['user'],
      condition: { match: { expr: 'R.attr.owner == P.id && R.attr.state == 1' } },
    },
  ];
  const resourcePolicy = { resource: 'record', version: 'default', rules };
  const policy = JSON.stringify({ apiVersion: 'api.cerbos.dev/v1', resourcePolicy });
  const cerbos = await startCerbos([policy], binary);
  const question = {
    principal: { id: 'ada', roles: ['user'] },
    resources: [
      {
        actions: ['view'],
        resource: { kind: 'record', id: '1', attr: { owner: 'ada', state: 1 } },
      },
    ],
  };
  const took: number[] = [];
  for (let call = 0; call < 1_000; call++) {
    const begun = performance.now();
    await cerbos.ask('/api/check/resources', question);
    if (call >= 200) took.push((performance.now() - begun) * 1_000);
  }
  await cerbos.stop();
  console.log(`  Cerbos, a request over its socket: ${median(took).toFixed(0)} µs`);
}
