// One process: time per decision of three engines, garbage, and JWT verification.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Authorizer, prepareSubject } from '@apix/authz/core';
import { bearerSubject } from '@apix/authz/jwt';
import { ForbiddenError, createMongoAbility } from '@casl/ability';
import { newEnforcer, newModelFromString } from 'casbin';
import { SignJWT, generateKeyPair } from 'jose';
import {
  POLICIES,
  QUESTIONS,
  type Question,
  SUBJECTS,
  type Who,
  expected,
  registryOf,
} from './world.js';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

type Decide = (question: Question) => boolean;

const authorizer = new Authorizer(registryOf(POLICIES), { subject: () => null });
const apix: Decide = ({ policy, who }) =>
  authorizer.authorize(undefined, policy.method, who) === null;

/** As an app does that decides about one caller many times; CASL's abilities are built before, too. */
const preparedSubjects = new Map(SUBJECTS.map((who) => [who, prepareSubject(who)]));
const prepared: Decide = ({ policy, who }) =>
  authorizer.authorize(undefined, policy.method, preparedSubjects.get(who)!) === null;

// CASL: an ability for each subject, built before, that lists what it may call.
const abilities = new Map(
  SUBJECTS.map((who) => [
    who,
    createMongoAbility(
      POLICIES.filter((policy) => expected(policy, who)).map(({ method }) => ({
        action: 'call',
        subject: method,
      })),
    ),
  ]),
);
const casl: Decide = ({ policy, who }) => abilities.get(who)!.can('call', policy.method);

/** What CASL gives to those who want an error for the caller, as ours always does. */
const caslWithError: Decide = ({ policy, who }) =>
  ForbiddenError.from(abilities.get(who)).unlessCan('call', policy.method) === undefined;

// casbin: the subject is the request's, the method's requirement is the policy's.
const model = newModelFromString(`
[request_definition]
r = sub, obj
[policy_definition]
p = obj, index
[policy_effect]
e = some(where (p.eft == allow))
[matchers]
m = r.obj == p.obj && passes(r.sub, p.index)
`);
const enforcer = await newEnforcer(model);
await enforcer.addFunction('passes', (who: Who, index: string) =>
  expected(POLICIES[Number(index)], who),
);
await enforcer.addPolicies(POLICIES.map(({ method }, index) => [method, `${index}`]));
const casbin: Decide = ({ policy, who }) => enforcer.enforceSync(who, policy.method);

const ENGINES = { apix, prepared, casl, caslWithError, casbin } as const;
type Engine = keyof typeof ENGINES;
const LABELS: Record<Engine, string> = {
  apix: 'apix',
  prepared: 'with a prepared subject',
  casl: 'casl',
  caslWithError: 'casl with an error',
  casbin: 'casbin',
};
const NAMES = Object.keys(ENGINES) as Engine[];

let allowed = 0;
for (const question of QUESTIONS) {
  const answer = expected(question.policy, question.who);
  if (answer) allowed++;
  const wrong = NAMES.filter((name) => ENGINES[name](question) !== answer);
  if (wrong.length > 0) throw new Error(`${wrong.join()} differ on ${JSON.stringify(question)}`);
}
const ALLOWED = QUESTIONS.filter(({ policy, who }) => expected(policy, who));
const DENIED = QUESTIONS.filter(({ policy, who }) => !expected(policy, who));
console.log(
  `${QUESTIONS.length} questions, ${Math.round((100 * allowed) / QUESTIONS.length)} % allowed; ` +
    'all engines agree',
);

/** Nanoseconds of CPU a decision: what others do on this machine counts for less than on a clock. */
function time(decide: Decide, questions: readonly Question[], rounds: number): number {
  const begun = process.cpuUsage();
  let count = 0;
  for (let round = 0; round < rounds; round++) {
    for (const question of questions) if (decide(question)) count++;
  }
  if (count < 0) throw new Error('unreachable');
  const { user, system } = process.cpuUsage(begun);
  return ((user + system) * 1_000) / (rounds * questions.length);
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

const SETS = { mixed: QUESTIONS, allowed: ALLOWED, denied: DENIED } as const;
for (const [set, questions] of Object.entries(SETS)) {
  const times: Record<Engine, number[]> = {
    apix: [],
    prepared: [],
    casl: [],
    caslWithError: [],
    casbin: [],
  };
  for (let round = 0; round < 32; round++) {
    for (const name of NAMES) {
      const slow = name === 'casbin';
      if (slow && round % 8 !== 0) continue;
      const part = slow ? questions.slice(0, 200) : questions;
      const took = time(ENGINES[name], part, slow ? 1 : 10);
      if (round > 1) times[name].push(took);
    }
  }
  const of = (name: Engine): number => median(times[name]);
  // Round by round: the machine may have been another one in the next.
  const ratio = (ours: Engine, theirs: Engine): string =>
    median(times[ours].map((took, round) => took / times[theirs][round])).toFixed(2);
  console.log(
    `${set.padEnd(8)} ${NAMES.map((name) => `${LABELS[name]} ${of(name).toFixed(0)} ns`).join(', ')}; ` +
      `prepared/casl ${ratio('prepared', 'casl')}${set === 'allowed' ? '' : ' (goal 1.5)'}, ` +
      `apix/casl ${ratio('apix', 'casl')}, apix/casl with an error ${ratio('apix', 'caslWithError')}, ` +
      `apix/casbin ${(of('apix') / of('casbin')).toFixed(4)}`,
  );
}

function heap(): number {
  gc();
  gc();
  return process.memoryUsage().heapUsed;
}

time(apix, ALLOWED, 10);
const before = heap();
time(apix, ALLOWED, Math.ceil(10_000_000 / ALLOWED.length));
console.log(
  `heap after 10 million allowed calls: ${((heap() - before) / 1024).toFixed(1)} kB more`,
);

/** Bytes that a call leaves to the collector, which does not run meanwhile. */
function garbage(questions: readonly Question[]): string {
  time(apix, questions, 10);
  gc();
  const young = process.memoryUsage().heapUsed;
  time(apix, questions, 10);
  const bytes = process.memoryUsage().heapUsed - young;
  return (bytes / (10 * questions.length)).toFixed(2);
}

console.log(`garbage: ${garbage(ALLOWED)} bytes an allowed call, ${garbage(DENIED)} a denied one`);

for (const algorithm of ['ES256', 'RS256', 'EdDSA']) {
  const { publicKey, privateKey } = await generateKeyPair(algorithm);
  const claims = { iss: 'https://id.example', aud: 'shop', sub: 'ada', roles: ['admin'] };
  const token = await new SignJWT(claims)
    .setProtectedHeader({ alg: algorithm })
    .setExpirationTime('5m')
    .sign(privateKey);
  const subject = bearerSubject({ jwks: publicKey, issuer: claims.iss, audience: claims.aud });
  const values = [`Bearer ${token}`];
  const call = { metadata: { get: () => values, keys: () => [] } } as never;
  for (let n = 0; n < 500; n++) await subject(call);
  const begun = performance.now();
  for (let n = 0; n < 2_000; n++) await subject(call);
  const each = ((performance.now() - begun) / 2_000) * 1_000;
  console.log(`JWT ${algorithm}: ${each.toFixed(0)} µs a token, apart from all the above`);
}
