import { type CallContext, CALL_STAGE, Code, type StagedCall } from '@apix/contracts';
import { ProtoRegistry } from '@apix/proto/core';
import { describe, expect, it } from '@jest/globals';
import { describeFilter } from '../cel/filter/describe-filter.js';
import { type ListFilter, mayList } from '../cel/filter/list-filter.js';
import { celConditions } from '../conditions/cel-conditions.js';
import { PolicyError } from '../errors.js';
import { entryRule } from '../http/entry-rule.js';
import { LISTS_SET, listsWith, record } from '../records.fixture.js';
import type { Subject } from '../subject/subject.js';
import type { BegunCall } from './admission.js';
import type { AuthorizerOptions } from './authorizer-options.js';
import { Authorizer } from './authorizer.js';
import { authzStage, currentFilter } from './authz-stage.js';
import type { Decision } from './decision.js';

const LISTS = ProtoRegistry.load(LISTS_SET);
const LIST = '/records.v1.Lists/List';
const LIST_STATE = '/records.v1.Lists/ListState';
const FOLLOW = '/records.v1.Lists/Follow';
const GET = '/records.v1.Lists/Get';
const ADA: Subject = { id: 'ada', roles: ['user'], permissions: [] };
const SAM: Subject = { id: 'sam', roles: ['user', 'staff'], permissions: [] };
const RECORD = 'records.v1.Record';
const loaders = { [RECORD]: () => null };

function authorizerOf(options: Partial<AuthorizerOptions> = {}, registry = LISTS): Authorizer {
  return new Authorizer(registry, {
    subject: () => ADA,
    conditions: celConditions(),
    loaders,
    ...options,
  });
}

function callOf(fullName: string): CallContext {
  return {
    door: 'grpc',
    method: { fullName, service: '', name: '', kind: 'unary' },
    metadata: { get: () => [], keys: () => [] },
    peer: { address: '' },
    signal: new AbortController().signal,
    forwarded: false,
  };
}

/** A call as it passes the stage: begun, its request seen. */
async function begun(
  method: string,
  options: Partial<AuthorizerOptions> = {},
  request: unknown = record('Ask', { state: 1 }),
): Promise<BegunCall> {
  const authorizer = authorizerOf(options);
  const call = await authorizer.beginBy(authorizer.standing(method), callOf(method));
  await call.onMessage?.(request);
  return call;
}

const words = ({ where }: ListFilter): string => describeFilter(where);
const refusal = (run: () => unknown): string => {
  try {
    run();
    return 'OK';
  } catch (error) {
    const { code, message } = error as { code: Code; message: string };
    return `${Code[code]}: ${message}`;
  }
};

describe('the filter of a list', () => {
  it.each<[string, Subject, string]>([
    [LIST, ADA, 'owner == "ada"'],
    [LIST, SAM, 'everything'],
    [LIST, { ...ADA, id: undefined as never }, 'nothing'],
    [LIST_STATE, ADA, '(owner == "ada") && (state == 1)'],
    [LIST_STATE, SAM, 'state == 1'],
    [FOLLOW, ADA, 'owner == "ada"'],
  ])('%s of %j is %s', async (method, subject, text) => {
    expect(words((await begun(method, { subject: () => subject })).filter!)).toBe(text);
  });

  it('is what a condition of the same expression allows', () => {
    const authorizer = authorizerOf();
    for (const subject of [ADA, SAM, { ...ADA, roles: [] }, { ...ADA, id: 'eve' }]) {
      for (const owner of ['ada', 'eve', '']) {
        const resource = record('Record', { owner });
        const given = { request: record('Ask'), resource };
        const allowed = authorizer.authorize(undefined, GET, subject, given) === null;
        const lists = refusal(() => authorizer.listFilter(undefined, LIST, subject)) === 'OK';
        if (subject.roles.length === 0) expect(lists).toBe(false);
        const listed = lists && mayList(authorizer.listFilter(undefined, LIST, subject), resource);
        const may = allowed && subject.roles.includes('user');
        expect([subject.id, owner, listed]).toEqual([subject.id, owner, may]);
      }
    }
  });

  it('is made before the handler, and is the same whatever happens to the request and the subject after that', async () => {
    const request = record('Ask', { state: 1 });
    const roles = ['user'];
    const call = await begun(LIST_STATE, { subject: () => ({ ...ADA, roles }) }, request);
    Object.assign(request, { state: 2 });
    roles.push('staff');
    expect(words(call.filter!)).toBe('(owner == "ada") && (state == 1)');
  });

  it('is of nothing before the request that it reads has come', async () => {
    const authorizer = authorizerOf();
    const call = await authorizer.beginBy(authorizer.standing(LIST_STATE), callOf(LIST_STATE));
    expect(words(call.filter!)).toBe('nothing');
    expect(refusal(() => call.onMessage!({}))).toBe('PERMISSION_DENIED: permission denied');
  });

  it('comes after conditions', async () => {
    await expect(begun(FOLLOW, {}, record('Ask', { amount: 101n }))).rejects.toMatchObject({
      code: Code.PERMISSION_DENIED,
    });
  });
});

describe('a handler that does not ask for its filter', () => {
  it('sends nothing, and the decision says what to do', async () => {
    const decisions: Decision[] = [];
    const onDecision = (made: Decision): void => void decisions.push(made);
    const call = await begun(LIST, { onDecision });
    expect(refusal(() => call.onSend!())).toBe('INTERNAL: internal error');
    expect(refusal(() => call.onSend!())).toBe('INTERNAL: internal error');
    expect(decisions[0]).toMatchObject({ allowed: true });
    expect(decisions[1]).toMatchObject({ allowed: false, reason: 'no_filter', shadow: false });
    const [, { error }] = decisions as unknown as [unknown, { error: Error }];
    expect(String(error.cause)).toBe(
      'Error: authz: the handler of /records.v1.Lists/List did not ask for its filter, so nothing that it answers is ' +
        'sent; give it a parameter with @CurrentFilter(), or call currentFilter(), and list only records of ' +
        'records.v1.Record that the filter lets through',
    );
  });

  it('is reported in shadow mode, once a call, where every filter is of everything', async () => {
    const decisions: Decision[] = [];
    const shadow = {
      mode: 'shadow',
      onDecision: (made: Decision): void => void decisions.push(made),
    } as const;
    const call = await begun(LIST, shadow);
    expect([refusal(() => call.onSend!()), refusal(() => call.onSend!())]).toEqual(['OK', 'OK']);
    expect(decisions.filter(({ allowed }) => !allowed)).toHaveLength(1);
    for (const subject of [ADA, { ...ADA, roles: [] }, null, 7 as never]) {
      const other = await begun(LIST, { ...shadow, subject: () => subject });
      expect(words(other.filter!)).toBe('everything');
      expect(refusal(() => other.onSend?.())).toBe('OK');
    }
  });
});

describe('an entry point whose handlers cannot ask', () => {
  it('denies a list, and gives the filter on request', () => {
    const authorizer = authorizerOf();
    const denied = 'PERMISSION_DENIED: permission denied';
    expect(refusal(() => authorizer.admit(callOf(LIST)))).toBe(denied);
    expect(refusal(() => authorizer.begin(callOf(LIST)))).toBe(denied);
    const error = authorizer.authorize(undefined, LIST, ADA);
    expect(error?.code).toBe(Code.PERMISSION_DENIED);
    expect(String(error?.cause)).toMatch(/call listFilter\(\) of the Authorizer$/);
    expect(words(authorizer.listFilter(undefined, LIST, ADA))).toBe('owner == "ada"');
    const request = record('Ask', { state: 2 });
    expect(words(authorizer.listFilter(undefined, LIST_STATE, SAM, { request }))).toBe(
      'state == 2',
    );
  });

  it('is refused at the start where it is a route', () => {
    expect(() => entryRule(authorizerOf(), { rpc: 'records.v1.Lists/List' })).toThrow(
      'lists records, and a route cannot get its filter; call listFilter() of the Authorizer',
    );
  });

  it('gets no filter for a caller that may not list, for a method without one, or without the request', () => {
    const authorizer = authorizerOf();
    const asked = (method: string, subject: unknown, given?: unknown): string =>
      refusal(() => authorizer.listFilter(undefined, method, subject as Subject, given as never));
    expect(asked(LIST, null)).toBe('UNAUTHENTICATED: credentials are missing');
    expect(asked(LIST, { ...ADA, roles: [] })).toBe('PERMISSION_DENIED: permission denied');
    const hostile = {
      roles: ['user'],
      permissions: [],
      get id(): string {
        throw new Error('no');
      },
    };
    for (const [method, subject, given] of [
      [GET, ADA],
      ['/a.B/C', ADA],
      [LIST, 7],
      [LIST, hostile],
      [LIST_STATE, ADA],
      [LIST_STATE, ADA, { request: {} }],
    ] as const) {
      expect(asked(method, subject, given)).toBe('INTERNAL: internal error');
    }
  });
});

describe('a handler without Nest', () => {
  it('gets its filter by the metadata of the call', async () => {
    const authorizer = authorizerOf();
    const stage = authzStage(authorizer);
    expect(stage[CALL_STAGE]).toBe(true);
    const bound = stage.bind(callOf(LIST).method)!;
    const call = { ...callOf(LIST), values: new Map() } as unknown as StagedCall;
    await bound.onCall!(call);
    expect(refusal(() => bound.onSend!(call, {}))).toBe('INTERNAL: internal error');
    expect(words(currentFilter({ [Symbol.for('apix.StagedCall')]: call }))).toBe('owner == "ada"');
    expect(refusal(() => bound.onSend!(call, {}))).toBe('OK');
    expect(() => currentFilter({})).toThrow('authz: there is no filter here');
  });
});

describe('explain()', () => {
  it('says the filter, and whether it shows a record', () => {
    const authorizer = authorizerOf();
    const listed = record('Record', { owner: 'eve' });
    const request = record('Ask');
    expect(authorizer.explain(LIST, ADA).list).toEqual({ type: RECORD, filter: 'owner == "ada"' });
    expect(authorizer.explain(LIST, ADA, { request, listed }).list).toMatchObject({ shows: false });
    expect(authorizer.explain(LIST, SAM, { request, listed }).list).toMatchObject({ shows: true });
    expect(authorizer.explain(LIST_STATE, SAM).list?.filter).toBe(
      'visible && resource.state == request.state',
    );
    expect(authorizer.explain(LIST, null).list).toBeUndefined();
    expect(authorizer.explain(GET, ADA).list).toBeUndefined();
  });
});

describe('an authorizer of lists', () => {
  const mistakesOf = (registry: ProtoRegistry, options: Partial<AuthorizerOptions> = {}) => {
    try {
      void authorizerOf(options, registry);
      return [];
    } catch (error) {
      if (error instanceof PolicyError) return error.mistakes;
      throw error;
    }
  };

  it('knows what they list, with the definitions that are used', () => {
    expect(authorizerOf().methods.listsOf(LIST)).toEqual({
      type: RECORD,
      where: 'visible',
      definitions: { visible: "'staff' in subject.roles || resource.owner == subject.id" },
    });
    expect(authorizerOf().methods.listsOf(GET)).toBeUndefined();
  });

  it.each<[string, string, RegExp]>([
    [
      'what no filter can say',
      'size(resource.owner) > 3',
      /cannot become a filter.*\(line 1, column 22 of/,
    ],
    ['fields that are compared with each other', 'resource.owner == resource.name', /filter/],
    ['a field that does not exist', 'resource.ownr == "a"', /ownr.*line 1, column/],
    ['a wrong type', 'resource.owner == 7', /line 1, column/],
    ['a result that is not a bool', 'resource.owner', /bool|filter/],
    ['nothing', '', /line 1, column 1/],
    ['a map', 'resource.labels["a"] == "b"', /filter/],
    [
      'what may cost too much',
      'request.labels.exists(a, request.labels.exists(b, a == b && request.labels.exists(c, c == a)))',
      /may cost \d+ steps/,
    ],
  ])('does not start with %s', (_, where, text) => {
    const found = mistakesOf(listsWith('List', { type: RECORD, where }));
    expect(found[0]).toMatch(text);
    expect(found[0]).toMatch(
      /^records\/v1\/lists\.proto:\d+:12: rpc records\.v1\.Lists\.List, option \(apix\.authz\.lists\)/,
    );
  });

  it.each<[string, ProtoRegistry, RegExp]>([
    [
      'a type that does not exist',
      listsWith('List', { type: 'a.B', where: 'true' }),
      /no message "a\.B"/,
    ],
    [
      'a request of a stream',
      listsWith('ListAll', { type: RECORD, where: 'resource.name == request.name' }),
      /a stream of requests has no single one/,
    ],
    [
      'a public method',
      listsWith('List', { type: RECORD, where: 'true' }, { public: true }),
      /has no caller whose records it could list/,
    ],
  ])('does not start with %s', (_, registry, text) => {
    expect(mistakesOf(registry)[0]).toMatch(text);
  });

  it('does not start without what evaluates them', () => {
    const found = mistakesOf(LISTS, { conditions: undefined as never });
    expect(
      found.filter((mistake) => mistake.includes('lists records by a condition')),
    ).toHaveLength(4);
  });
});
