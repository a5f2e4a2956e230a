import { describeFilter, mayList } from '@apix/authz/filters';
import type { Subject } from '@apix/authz/core';
import { create, type Message } from '@bufbuild/protobuf';
import { seeded } from '../cel/random-expressions.js';
import { startCerbos } from './cerbos-server.js';
import { type Plan, planAllows } from './plan.js';
import { authorizerOf, cerbosPolicy, sharedPolicies } from './policies.js';

const quick = process.argv.includes('--quick');
const seed = Number(process.argv.find((arg) => arg.startsWith('--seed='))?.slice(7) ?? 1);
const POLICIES = 100;
const [DECISIONS, PLANS] = quick ? [2_000, 200] : [10_000, 1_000];
/** As many as Cerbos takes in a request. */
const BATCH = 50;

const random = seeded(seed);
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
const policies = sharedPolicies(POLICIES, random);
const authorizer = authorizerOf(policies);
const types = authorizer.methods.typesOf('/records.v1.Records/Get0')!;
const request = create(types.input);

interface Attributes extends Record<string, unknown> {
  readonly name: string;
}

function someRecord(): { readonly attr: Attributes; readonly message: Message } {
  const attr = {
    name: pick(['blue-1', 'blue-2', 'red-1', 'ada', '']),
    owner: pick(['ada', 'eve', 'zoë', '']),
    state: pick([0, 1, 2, 7]),
    readers: pick([[], ['ada'], ['eve', 'blue'], ['']]),
  };
  return { attr, message: create(types.resource!, attr) };
}

/** A caller; a claim that is missing is an error where it is read. */
function someCaller(): Subject {
  const claims: Record<string, unknown> = {};
  if (random() < 0.8) claims['team'] = pick(['blue', 'red', '']);
  if (random() < 0.8) claims['limit'] = pick([0, 1, 1.5, 2]);
  if (random() < 0.8) claims['friends'] = pick([[], ['eve'], ['ada', 'zoë']]);
  return {
    id: pick(['ada', 'eve', 'zoë']),
    roles: pick([['user'], ['staff'], ['user', 'staff'], ['admin'], ['guest']]),
    permissions: [],
    claims,
  };
}

const principal = ({ id, roles, claims }: Subject) => ({ id, roles, attr: claims });

interface Checked {
  readonly results: readonly { readonly actions: { readonly view: string } }[];
}

const cerbos = await startCerbos(policies.map(cerbosPolicy));
let failed = 0;
let allowed = 0;
for (let asked = 0; asked < DECISIONS; asked += BATCH) {
  const caller = someCaller();
  const cases = Array.from({ length: BATCH }, () => ({
    n: Math.floor(random() * POLICIES),
    record: someRecord(),
  }));
  const { results } = (await cerbos.ask('/api/check/resources', {
    requestId: `${asked}`,
    principal: principal(caller),
    resources: cases.map(({ n, record }, at) => ({
      actions: ['view'],
      resource: { kind: `p${n}`, id: `${at}`, attr: record.attr },
    })),
  })) as Checked;
  for (const [at, { n, record }] of cases.entries()) {
    const given = { request, resource: record.message };
    const ours =
      authorizer.authorize(undefined, `/records.v1.Records/Get${n}`, caller, given) === null;
    const theirs = results[at]!.actions.view === 'EFFECT_ALLOW';
    if (ours) allowed++;
    if (ours === theirs) continue;
    failed++;
    report(n, caller, { record: record.attr, ours, theirs });
  }
}
console.log(
  `decisions: ${DECISIONS} of ${POLICIES} policies of seed ${seed}, ${allowed} allowed, ${failed} differ`,
);

const before = failed;
const kinds = new Map<string, number>();
for (let planned = 0; planned < PLANS; planned++) {
  const n = planned % POLICIES;
  const caller = someCaller();
  const { filter: plan } = (await cerbos.ask('/api/plan/resources', {
    requestId: `${planned}`,
    action: 'view',
    principal: principal(caller),
    resource: { kind: `p${n}` },
  })) as { readonly filter: Plan };
  kinds.set(plan.kind, (kinds.get(plan.kind) ?? 0) + 1);
  const filter = filterOf(n, caller);
  const differing = Array.from({ length: 60 }, someRecord).find(
    ({ attr, message }) =>
      planAllows(plan, { principal: principal(caller), resource: { attr } }) !==
      (filter !== undefined && mayList(filter, message)),
  );
  if (differing === undefined) continue;
  failed++;
  report(n, caller, {
    record: differing.attr,
    plan,
    filter: filter && describeFilter(filter.where),
  });
}
await cerbos.stop();
console.log(
  `plans: ${PLANS}, ${[...kinds].map(([kind, count]) => `${count} ${kind}`).join(', ')}, ${failed - before} differ`,
);
process.exit(failed > 0 ? 1 : 0);

function filterOf(n: number, caller: Subject) {
  const method = `/records.v1.Records/List${n}`;
  const { allowed: may } = authorizer.explain(method, caller);
  return may ? authorizer.listFilter(undefined, method, caller) : undefined;
}

function report(n: number, caller: Subject, found: object): void {
  if (failed > 8) return;
  console.log(
    `FAILED policy ${n}: ${policies[n]!.condition}\n  ${JSON.stringify({ caller, ...found })}`,
  );
}
