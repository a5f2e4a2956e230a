import type {
  PolicyReport,
  ReportedDecision,
  ReportedExplanation,
  SupposedCaller,
} from '@apix/contracts';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { type FakeClock, fakeClock } from '@apix/contracts/testing';
import type { PolicyExplanation, PolicyMatrix } from '../section-views.js';
import { policiesSection } from './policies-section.js';
import type { PageSection } from './section.js';

/** Policies of a test: `Get` is for everyone who is known, `Drop` for admins or those who may drop. */
class FakeReport implements PolicyReport {
  readonly followers = new Set<(decision: ReportedDecision) => void>();
  readonly denied = new Map<string, number>();
  readonly asked: (SupposedCaller | null)[] = [];

  constructor(readonly roles: readonly string[] = ['admin']) {}

  methods() {
    return [
      { method: '/s/Get', who: 'any authenticated caller' },
      { method: '/s/Drop', who: 'roles: any of admin' },
    ];
  }
  fields() {
    return [{ field: 's.Thing.phone', who: 'roles: any of admin' }];
  }
  withWhoMayCall(document: object) {
    return document;
  }
  named() {
    return { roles: this.roles, permissions: ['drop'] };
  }
  accessFor(method: string, caller: SupposedCaller | null) {
    if (caller === null) return 'denied';
    if (method === '/s/Get') return 'allowed';
    return caller.roles.includes('admin')
      ? 'allowed'
      : caller.permissions.includes('drop')
        ? 'undecided'
        : 'denied';
  }
  explain(method: string, caller: SupposedCaller | null): ReportedExplanation | undefined {
    this.asked.push(caller);
    if (method !== '/s/Drop') return undefined;
    const findings = [true, false, undefined].map((passes) => ({ passes, text: `${passes}` }));
    return { verdict: 'as it is', access: this.accessFor(method, caller), findings };
  }
  denials() {
    return this.denied;
  }
  follow(take: (decision: ReportedDecision) => void): () => void {
    this.followers.add(take);
    return () => this.followers.delete(take);
  }

  decide(over: Partial<ReportedDecision> = {}): void {
    const base = { method: '/s/Get', door: 'grpc', allowed: true, reason: 'passed' } as const;
    const decision = { ...base, matter: null, caller: 'ada', shadow: false, ...over };
    for (const take of this.followers) take(decision);
  }
}

let clock: FakeClock;
let policies: FakeReport;
let failures: string[];
const noteFailure = (_source: string, what: string, error: unknown): void =>
  void failures.push(`${what}: ${String(error)}`);
let section: PageSection<'policies'>;
beforeEach(() => {
  clock = fakeClock();
  failures = [];
  policies = new FakeReport();
  section = policiesSection([policies], clock, noteFailure);
});

async function itemOf<T>(name: string, query = ''): Promise<T | undefined> {
  const text = await section.item!(name, new URLSearchParams(query));
  return text === undefined ? undefined : (JSON.parse(text) as T);
}

describe('the matrix of policies', () => {
  it('has a column for callers of each role and permission alone', async () => {
    expect(await itemOf<PolicyMatrix>('matrix')).toEqual({
      callers: ['anonymous', 'any caller', 'admin', 'may drop'],
      leftOut: 0,
      methods: [
        { method: '/s/Get', who: 'any authenticated caller', access: '-+++' },
        { method: '/s/Drop', who: 'roles: any of admin', access: '--+?' },
      ],
      fields: [{ field: 's.Thing.phone', who: 'roles: any of admin' }],
    });
  });

  it('has a bounded number of columns, and says how many are missing', async () => {
    const roles = Array.from({ length: 100 }, (_, at) => `role-${at}`);
    section = policiesSection([new FakeReport(roles)], clock, noteFailure);
    const { callers, leftOut, methods } = (await itemOf<PolicyMatrix>('matrix'))!;
    expect([callers.length, leftOut, methods[0]!.access.length]).toEqual([42, 61, 42]);
  });

  it('joins several sources, with each name once', async () => {
    section = policiesSection([policies, new FakeReport(['clerk', 'admin'])], clock, noteFailure);
    const { callers, methods } = (await itemOf<PolicyMatrix>('matrix'))!;
    expect(callers).toEqual(['anonymous', 'any caller', 'admin', 'clerk', 'may drop']);
    expect(methods).toHaveLength(4);
  });

  it('has nothing else, and no tab without a source', async () => {
    expect(await itemOf('nothing')).toBeUndefined();
    expect(section.isPresent!()).toBe(true);
    expect(policiesSection([], clock, noteFailure).isPresent!()).toBe(false);
  });
});

describe('the explanation of a policy', () => {
  it.each<[string, SupposedCaller | null]>([
    ['anonymous=yes&roles=admin', null],
    ['', { roles: [], permissions: [] }],
    [
      'roles=admin,%20clerk,&permissions=drop',
      { roles: ['admin', 'clerk'], permissions: ['drop'] },
    ],
    ['id=%20ada%20', { roles: [], permissions: [], id: 'ada' }],
  ])('is about the caller that the query describes: %s', async (query, caller) => {
    await itemOf('explain', `method=/s/Drop&${query}`);
    expect(policies.asked).toEqual([caller]);
  });

  it('says what was looked at', async () => {
    expect(await itemOf<PolicyExplanation>('explain', 'method=/s/Drop&permissions=drop')).toEqual({
      method: '/s/Drop',
      verdict: 'as it is',
      outcome: 'undecided',
      findings: [
        { mark: '+', text: 'true' },
        { mark: '-', text: 'false' },
        { mark: '?', text: 'undefined' },
      ],
    });
    expect(await itemOf('explain', 'method=/s/Nothing')).toBeUndefined();
  });
});

describe('the decisions of late', () => {
  const outcomes = (full = true): string[] =>
    section.view(full).decisions.map(({ outcome, reason }) => `${outcome} ${reason}`);

  it('are followed while somebody looks, each told once, and all to who comes', () => {
    policies.decide();
    const leave = section.watch!();
    expect(policies.followers.size).toBe(1);
    policies.decide();
    expect(outcomes(false)).toEqual(['allowed passed']);
    policies.decide({ allowed: false, reason: 'condition', matter: 'owner' });
    policies.decide({ allowed: false, reason: 'roles', shadow: true, caller: null });
    expect(outcomes(false)).toEqual(['denied condition owner', 'shadowed roles']);
    expect(outcomes()).toHaveLength(3);
    leave();
    policies.decide();
    expect([policies.followers.size, outcomes().length]).toEqual([0, 3]);
  });

  it('are bounded in a second, denied ones apart, and in all', async () => {
    section.watch!();
    for (let at = 0; at < 60; at++) policies.decide();
    for (let at = 0; at < 55; at++) policies.decide({ allowed: false, reason: 'roles' });
    expect([section.view(true).decisions.length, section.view(true).leftOut]).toEqual([100, 15]);
    for (let second = 0; second < 10; second++) {
      await clock.advance(1_000);
      for (let at = 0; at < 50; at++) policies.decide();
    }
    const { decisions, keeps } = section.view(true);
    expect([decisions.length, keeps]).toEqual([200, 200]);
  });

  it('are not those about the page itself, but who was denied there', () => {
    section.watch!();
    policies.decide({ method: 'HostPageController.item', door: 'http' });
    policies.decide({ method: 'OrdersController.item', door: 'http' });
    expect(section.view(true).decisions.map(({ method }) => method)).toEqual([
      'OrdersController.item',
    ]);
    policies.decide({ method: 'HostPageController.page', door: 'http', allowed: false });
    expect(section.view(true).decisions.at(-1)!.method).toBe('HostPageController.page');
  });

  it('have short texts, whatever callers send', () => {
    section.watch!();
    const long = 'x'.repeat(10_000);
    policies.decide({ method: long, caller: long, allowed: false, reason: 'roles', matter: long });
    const [row] = section.view(true).decisions;
    const { method, caller, reason } = row!;
    expect(Math.max(method.length, caller.length, reason.length)).toBeLessThan(250);
  });

  it('are not counted where a source fails, which the page outlives', () => {
    policies.denied.set('/s/Get', 2);
    const broken = new FakeReport();
    broken.denials = () => {
      throw new Error('no counts');
    };
    section = policiesSection([broken, policies], clock, noteFailure);
    expect(section.view(true).denials).toEqual([{ method: '/s/Get', count: 2 }]);
    expect(failures).toEqual(['denials: Error: no counts']);
  });

  it('are counted by method, the most first', () => {
    policies.denied.set('/s/Get', 2).set('/s/Drop', 7);
    expect(section.view(true).denials).toEqual([
      { method: '/s/Drop', count: 7 },
      { method: '/s/Get', count: 2 },
    ]);
  });
});
