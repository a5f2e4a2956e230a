import { Code, StatusError } from '@apix/contracts';
import { describe, expect, it } from '@jest/globals';
import { Authorizer } from '../decide/authorizer.js';
import type { Decision } from '../decide/decision.js';
import { compileRequirement } from '../policy/compile-requirement.js';
import { requirementOf } from '../policy/requirement.js';
import type { Subject } from '../subject/subject.js';
import { decisionFields, type DecisionFields } from './decision-fields.js';

const requirement = requirementOf({
  roles: { anyOf: ['admin'] },
  permissions: { allOf: ['orders:write'] },
});
const REQUIRES = 'roles: any of admin; permissions: all of orders:write';
const ADA: Subject = { id: 'ada', roles: ['customer'], permissions: [] };
const BOSS: Subject = { id: 'grace', roles: ['admin'], permissions: ['orders:write'] };
const CLERK: Subject = { id: 'bob', roles: ['admin'], permissions: [] };

async function fieldsOf(
  subject: () => Subject | null,
  mode: 'enforce' | 'shadow' = 'enforce',
): Promise<DecisionFields[]> {
  const found: DecisionFields[] = [];
  const authorizer = new Authorizer(undefined, {
    subject,
    mode,
    onDecision: (decision) => void found.push(decisionFields(decision)),
  });
  const evaluate = compileRequirement(requirement);
  const policy = {
    fullName: '/s/M',
    requirement,
    evaluate,
    conditions: undefined,
    lists: undefined,
  };
  const call = {
    door: 'grpc' as const,
    method: { fullName: '/s/M', service: 's', name: 'M', kind: 'unary' as const },
    metadata: { get: () => [], keys: () => [] },
    peer: { address: '' },
    signal: new AbortController().signal,
    forwarded: false,
  };
  const standing = { kind: 'protected' as const, ...policy, policy };
  await Promise.resolve()
    .then(() => authorizer.admitBy(standing, call))
    .catch(() => {});
  return found;
}

describe('decisionFields', () => {
  it.each<[string, Subject | null, DecisionFields]>([
    ['an allowed caller', BOSS, { subject: 'grace' }],
    ['nobody', null, { denied: 'anonymous', requires: REQUIRES }],
    ['a caller without the role', ADA, { subject: 'ada', denied: 'roles', requires: REQUIRES }],
    [
      'a caller without the permission',
      CLERK,
      { subject: 'bob', denied: 'permissions', requires: REQUIRES },
    ],
  ])('say who called and what the policy requires: %s', async (_, caller, fields) => {
    expect(await fieldsOf(() => caller)).toEqual([fields]);
  });

  it('say in shadow mode what would be denied', async () => {
    expect(await fieldsOf(() => ADA, 'shadow')).toEqual([
      { subject: 'ada', would_deny: 'roles', requires: REQUIRES },
    ]);
  });

  it('have the error of a subject function, cut', async () => {
    const broken = (): Subject => {
      throw new Error(`no key ${'x'.repeat(1_000)}`);
    };
    const [fields] = await fieldsOf(broken);
    expect(fields).toMatchObject({
      denied: 'subject_error',
      cause: expect.stringMatching(/^no key x+/),
    });
    expect(fields?.cause?.length).toBeLessThanOrEqual(201);
  });

  it.each<[Partial<Decision>, DecisionFields]>([
    [
      { reason: 'condition', condition: 'own' },
      { denied: 'condition', condition: 'own' },
    ],
    [
      { reason: 'hidden_field', field: 'shop.v1.Order.phone' },
      { denied: 'hidden_field', hidden_field: 'shop.v1.Order.phone' },
    ],
  ])('name what has denied the call: %j', (denied, fields) => {
    const error = new StatusError(Code.PERMISSION_DENIED, 'permission denied');
    const rest = {
      method: '/s/M',
      door: 'grpc',
      subject: undefined,
      allowed: false,
      shadow: false,
    };
    expect(decisionFields({ ...rest, error, ...denied } as Decision)).toEqual(fields);
  });
});
