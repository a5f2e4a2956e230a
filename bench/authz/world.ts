// 200 methods and 50 subjects, the same in every run.
import { ProtoRegistry } from '@apix/proto/core';
import { policySet } from '../../libs/authz/src/policy-set.fixture.js';

export interface Rule {
  readonly anyOf?: string[];
  readonly allOf?: string[];
  readonly noneOf?: string[];
}

export interface Policy {
  readonly method: string;
  readonly roles: Rule;
  readonly permissions: Rule;
}

export interface Who {
  readonly id: string;
  readonly roles: readonly string[];
  readonly permissions: readonly string[];
}

/** Numbers from 0 to 1 that look random (mulberry32). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const random = generator(7);
const ROLES = Array.from({ length: 12 }, (_, n) => `role-${n}`);
const PERMISSIONS = Array.from({ length: 30 }, (_, n) => `resource-${n}:write`);

export function shuffled<T>(list: readonly T[]): T[] {
  const out = [...list];
  for (let i = out.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [out[i], out[j]] = [out[j], out[i]];
  }
  return out;
}

const some = <T>(list: readonly T[], count: number): T[] => shuffled(list).slice(0, count);
const upTo = (most: number): number => Math.floor(random() * (most + 1));

/** Every shape: any_of alone (most common), with none_of, all_of permissions, both, any caller. */
function policyOf(index: number): Omit<Policy, 'method'> {
  switch (index % 5) {
    case 0:
    case 1:
      return { roles: { anyOf: some(ROLES, 3) }, permissions: {} };
    case 2:
      return { roles: { anyOf: some(ROLES, 5), noneOf: some(['suspended'], 1) }, permissions: {} };
    case 3:
      return { roles: { anyOf: some(ROLES, 6) }, permissions: { allOf: some(PERMISSIONS, 2) } };
    default:
      return { roles: {}, permissions: index % 10 === 4 ? {} : { anyOf: some(PERMISSIONS, 4) } };
  }
}

export const POLICIES: readonly Policy[] = Array.from({ length: 200 }, (_, index) => ({
  method: `/test.Service${Math.floor(index / 10)}/Method${index}`,
  ...policyOf(index),
}));

export const SUBJECTS: readonly Who[] = Array.from({ length: 50 }, (_, n) => ({
  id: `user-${n}`,
  roles: [...some(ROLES, 1 + upTo(4)), ...(n % 17 === 0 ? ['suspended'] : [])],
  permissions: some(PERMISSIONS, upTo(20)),
}));

export interface Question {
  readonly policy: Policy;
  readonly who: Who;
}

export const QUESTIONS: readonly Question[] = shuffled(
  POLICIES.flatMap((policy) => SUBJECTS.map((who) => ({ policy, who }))),
);

export function registryOf(policies: readonly Policy[]): ProtoRegistry {
  const services: Record<string, { methods: Record<string, { requires: object }> }> = {};
  for (const { method, roles, permissions } of policies) {
    const [, service, name] = /^\/test\.(\w+)\/(\w+)$/.exec(method) as unknown as [
      0,
      string,
      string,
    ];
    services[service] ??= { methods: {} };
    services[service].methods[name] = { requires: { roles, permissions } };
  }
  return ProtoRegistry.load(policySet(services));
}

/** The spec in four lines, for the engines that need the answers beforehand. */
export function expected({ roles, permissions }: Policy, who: Who): boolean {
  const holds = ({ anyOf = [], allOf = [], noneOf = [] }: Rule, has: readonly string[]): boolean =>
    (anyOf.length === 0 || anyOf.some((value) => has.includes(value))) &&
    allOf.every((value) => has.includes(value)) &&
    !noneOf.some((value) => has.includes(value));
  return holds(roles, who.roles) && holds(permissions, who.permissions);
}
