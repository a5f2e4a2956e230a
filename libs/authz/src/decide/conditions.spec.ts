import { type CallContext, Code, StatusError } from '@apix/contracts';
import type { Message } from '@bufbuild/protobuf';
import { describe, expect, it } from '@jest/globals';
import { celConditions } from '../conditions/cel-conditions.js';
import type { ResourceLoad } from '../conditions/resource-load.js';
import { record, type RecordPolicy, recordsWith } from '../records.fixture.js';
import type { Subject } from '../subject/subject.js';
import type { AuthorizerOptions } from './authorizer-options.js';
import { Authorizer } from './authorizer.js';
import type { BegunCall } from './admission.js';
import type { Decision } from './decision.js';

const SPEND = '/records.v1.Records/Spend';
const GET = '/records.v1.Records/Get';
const CHAT = '/records.v1.Records/Chat';
const ADA: Subject = { id: 'ada', roles: ['user'], permissions: ['p'], claims: { tenant: 't1' } };

const noLoad: ResourceLoad = () => {
  throw new Error('nothing has to be loaded');
};

function authorizerWith(
  policies: Readonly<Record<string, RecordPolicy>> = {},
  options: Partial<AuthorizerOptions> = {},
): Authorizer {
  return new Authorizer(recordsWith(policies), {
    subject: () => ADA,
    conditions: celConditions(),
    loaders: { 'records.v1.Record': noLoad },
    ...options,
  });
}

/** An authorizer whose method Spend has this condition. */
const spending = (expression: string, options?: Partial<AuthorizerOptions>): Authorizer =>
  authorizerWith({ Spend: { requires: { conditions: [{ id: 'it', expression }] } } }, options);

const ask = (init: Readonly<Record<string, unknown>> = {}): Message => record('Ask', init);

function callOf(method: string, signal = new AbortController().signal): CallContext {
  return {
    door: 'grpc',
    method: { fullName: method, service: 'records.v1.Records', name: '', kind: 'bidi_stream' },
    metadata: { get: () => [], keys: () => [] },
    peer: { address: '' },
    signal,
    forwarded: false,
  };
}

/** What comes of requests of one call: 'OK', or the code and text of the error. */
async function outcomes(
  authorizer: Authorizer,
  method: string,
  requests: readonly unknown[],
): Promise<string[]> {
  const begun: BegunCall = await authorizer.begin(callOf(method));
  const results: string[] = [];
  for (const request of requests) {
    try {
      await begun.onMessage?.(request);
      results.push('OK');
    } catch (error) {
      const { code, message } = error as { code: Code; message: string };
      results.push(`${Code[code]}: ${message}`);
    }
  }
  return results;
}

const REFUSED = 'PERMISSION_DENIED: permission denied';

describe('authorize() with a record', () => {
  it.each<[string, boolean]>([
    ['request.amount <= 100', true],
    ['request.amount > 100', false],
    ['subject.id == "ada" && "user" in subject.roles && "p" in subject.permissions', true],
    ['subject.claims.tenant == "t1"', true],
    ['has(subject.claims.team)', false],
    ['subject.claims.team == "x"', false],
    ['method == "/records.v1.Records/Spend"', true],
    ['now > timestamp("2020-01-01T00:00:00Z")', true],
    ['request.labels["a"] == "b"', true],
    ['request.labels["__proto__"] == "b"', false],
    ['"constructor" in request.labels', false],
    ['request.labels["none"] == "b"', false],
    ['request.state == 77', true],
    ['request.target.name == ""', true],
    ['request.amount / (request.amount - 100) == 0', false],
  ])('decides by %s: %s', (expression, allowed) => {
    const request = ask({ amount: 100n, labels: { a: 'b' }, state: 77 });
    const refused = spending(expression).authorize(undefined, SPEND, ADA, { request });
    expect(refused?.message).toBe(allowed ? undefined : 'permission denied');
  });

  it('denies without a request, and by a request or record of another type', () => {
    const authorizer = authorizerWith();
    const resource = record('Record', { owner: 'ada' });
    const given: unknown[] = [
      undefined,
      {},
      { request: {} },
      { request: 'a' },
      { request: resource, resource },
      { request: new Proxy(ask(), {}), resource },
      { request: ask() },
      { request: ask(), resource: ask() },
      { request: ask(), resource: { owner: 'ada' } },
      { request: ask(), resource: new Proxy(resource, {}) },
      new Proxy(
        {},
        {
          get: () => {
            throw new Error('no');
          },
        },
      ),
    ];
    for (const each of given) {
      const refused = authorizer.authorize(undefined, GET, ADA, each as never);
      expect([refused?.code, refused?.message]).toEqual([
        Code.PERMISSION_DENIED,
        'permission denied',
      ]);
    }
    expect(authorizer.authorize(undefined, GET, ADA, { request: ask(), resource })).toBeNull();
  });

  it('denies a caller without an id, one that is not text, and one whose getters throw', () => {
    const resource = record('Record', { owner: '' });
    const hostile = {
      roles: ['user'],
      permissions: [],
      get id(): string {
        throw new Error('no');
      },
    };
    const callers: unknown[] = [
      { ...ADA, id: undefined },
      { ...ADA, id: { toString: () => '' } },
      hostile,
    ];
    for (const caller of callers) {
      const refused = authorizerWith().authorize(undefined, GET, caller as Subject, {
        request: ask(),
        resource,
      });
      expect(refused?.code).toBe(Code.PERMISSION_DENIED);
    }
  });

  it('asks for roles first', () => {
    const nobody = { roles: [], permissions: [] };
    expect(authorizerWith().explain(GET, nobody, { request: ask() }).reason).toBe('roles');
    expect(authorizerWith().authorize(undefined, GET, null, { request: ask() })?.code).toBe(
      Code.UNAUTHENTICATED,
    );
  });
});

describe('an entry point without requests', () => {
  it('is denied where conditions exist, and not elsewhere', () => {
    expect(() => authorizerWith().admit(callOf(SPEND))).toThrow('permission denied');
    expect(authorizerWith().admit(callOf('/records.v1.Records/Ping'))).toMatchObject({
      subject: ADA,
    });
  });
});

describe('the record of a call', () => {
  const counted = () => {
    const names: string[] = [];
    const load: ResourceLoad = (name) => {
      names.push(name);
      return record('Record', { name, owner: name === 'hers' ? 'eve' : 'ada' });
    };
    return { names, options: { loaders: { 'records.v1.Record': load } } };
  };

  it('is loaded once for requests that name the same, and again for another one', async () => {
    const { names, options } = counted();
    const requests = ['a', 'a', 'hers', 'a', 'b'].map((name) => ask({ name }));
    expect(await outcomes(authorizerWith({}, options), CHAT, requests)).toEqual([
      'OK',
      'OK',
      REFUSED,
      'OK',
      'OK',
    ]);
    expect(names).toEqual(['a', 'hers', 'a', 'b']);
  });

  it('is not loaded if no condition reads it, or one that does not has refused', async () => {
    const { names, options } = counted();
    const owner = { id: 'owner', expression: 'owns' };
    const small = { id: 'small', expression: 'request.amount < 5' };
    const authorizer = authorizerWith(
      { Get: { requires: { conditions: [owner, small] } } },
      options,
    );
    await outcomes(authorizer, SPEND, [ask()]);
    expect(await outcomes(authorizer, GET, [ask({ amount: 9n })])).toEqual([REFUSED]);
    expect(names).toEqual([]);
    expect(await outcomes(authorizer, GET, [ask({ amount: 1n, name: 'a' })])).toEqual(['OK']);
    expect(names).toEqual(['a']);
  });

  it('is the object that the call is given', async () => {
    const resource = record('Record', { owner: 'ada' });
    const authorizer = authorizerWith({}, { loaders: { 'records.v1.Record': () => resource } });
    const begun: BegunCall = await authorizer.begin(callOf(GET));
    expect(begun.resource).toBeUndefined();
    await begun.onMessage!(ask());
    expect(begun.resource).toBe(resource);
  });

  it('that a caller could see in any case may be told not to exist; others learn nothing', async () => {
    const either = { id: 'either', expression: '"staff" in subject.roles || owns' };
    const answers = async (roles: string[], hideExistence: boolean) => {
      const authorizer = authorizerWith(
        { Get: { requires: { conditions: [either], hideExistence } } },
        {
          subject: () => ({ ...ADA, roles }),
          loaders: {
            'records.v1.Record': (name) =>
              name === 'hers' ? record('Record', { owner: 'eve' }) : null,
          },
        },
      );
      return outcomes(authorizer, GET, [ask({ name: 'hers' }), ask({ name: 'none' })]);
    };
    expect(await answers(['staff'], false)).toEqual(['OK', 'NOT_FOUND: not found']);
    expect(await answers(['staff'], true)).toEqual(['OK', 'NOT_FOUND: not found']);
    expect(await answers([], false)).toEqual([REFUSED, REFUSED]);
    expect(await answers([], true)).toEqual(['NOT_FOUND: not found', 'NOT_FOUND: not found']);
  });

  it('ends with the call, and aborts the signal of its loader', async () => {
    const over = new AbortController();
    let seen: AbortSignal | undefined;
    const load: ResourceLoad = (_, { signal }) => {
      seen = signal;
      return new Promise(() => {});
    };
    const authorizer = authorizerWith(
      {},
      { loaders: { 'records.v1.Record': load }, loaderTimeout: '1h' },
    );
    const begun: BegunCall = await authorizer.begin(callOf(GET, over.signal));
    const decided = begun.onMessage!(ask());
    over.abort();
    await expect(decided).rejects.toMatchObject({ code: Code.PERMISSION_DENIED });
    expect(seen?.aborted).toBe(true);
  });
});

describe('a stream of requests', () => {
  it('meets a condition for the first only where that says so', async () => {
    const small = { id: 'small', expression: 'request.amount < 5', firstOnly: true };
    const authorizer = authorizerWith({ Chat: { requires: { conditions: [small] } } });
    const requests = [ask({ amount: 1n }), ask({ amount: 9n })];
    expect(await outcomes(authorizer, CHAT, requests)).toEqual(['OK', 'OK']);
    expect(await outcomes(authorizer, CHAT, requests.toReversed())).toEqual([REFUSED, 'OK']);
  });
});

describe('what callers learn', () => {
  const two: RecordPolicy = {
    requires: {
      conditions: [
        { id: 'small', expression: 'request.amount < 5', message: 'at most 5' },
        { id: 'owner', expression: 'owns', message: 'owners only' },
        { id: 'open', expression: 'resource.state == 1', message: 'while it is open' },
      ],
    },
  };
  const loaders = {
    'records.v1.Record': ((name) =>
      name === 'none' ? null : record('Record', { owner: name, state: 2 })) satisfies ResourceLoad,
  };
  const requests = [
    ask({ amount: 9n }),
    ask({ name: 'eve' }),
    ask({ name: 'ada' }),
    ask({ name: 'none' }),
  ];

  it('is nothing of conditions', async () => {
    const authorizer = authorizerWith({ Chat: two }, { loaders });
    expect(new Set(await outcomes(authorizer, CHAT, requests))).toEqual(new Set([REFUSED]));
  });

  it('with exposeReasons is their message, which does not tell whether there is a record', async () => {
    const authorizer = authorizerWith({ Chat: two }, { loaders, exposeReasons: true });
    const alike = `${REFUSED}: owners only; while it is open`;
    expect(await outcomes(authorizer, CHAT, requests)).toEqual([
      `${REFUSED}: at most 5`,
      alike,
      alike,
      alike,
    ]);
  });
});

describe('what operators learn', () => {
  it('is the condition and why, in decisions and metrics, in shadow mode too', async () => {
    for (const mode of ['enforce', 'shadow'] as const) {
      const decisions: Decision[] = [];
      const onDecision = (made: Decision): void => void decisions.push(made);
      const authorizer = spending('10 / request.amount == 1', { mode, onDecision });
      const requests = [ask({ amount: 10n }), ask({ amount: 1n }), ask({ amount: 0n })];
      const results = await outcomes(authorizer, SPEND, requests);
      expect(results).toEqual(mode === 'shadow' ? ['OK', 'OK', 'OK'] : ['OK', REFUSED, REFUSED]);
      expect(decisions).toMatchObject([
        { allowed: true, reason: 'passed' },
        { allowed: false, reason: 'condition', condition: 'it', shadow: mode === 'shadow' },
        { allowed: false, reason: 'condition_error', condition: 'it' },
      ]);
      const [, , failed] = decisions as { error: Error }[];
      expect(String(failed!.error.cause)).toBe(
        'Error: authz: condition "it" of /records.v1.Records/Spend could not be evaluated',
      );
      expect(
        [...authorizer.metrics()].find(({ name }) => name.endsWith('condition_denials')),
      ).toMatchObject({
        value: 2,
        attributes: { method: SPEND, condition: 'it' },
      });
    }
  });

  it('is the value of each part, by explain()', () => {
    const resource = record('Record', { owner: 'eve' });
    const authorizer = spending('request.amount > 5 && subject.id == "eve"');
    expect(
      authorizer.explain(SPEND, ADA, { request: ask({ amount: 7n }), resource }),
    ).toMatchObject({
      allowed: false,
      reason: 'condition',
      conditions: [
        { id: 'it', met: false, parts: { 'request.amount': '7n', 'subject.id': "'ada'" } },
      ],
    });
    expect(authorizer.explain(SPEND, ADA)).toMatchObject({
      allowed: false,
      reason: 'no_request',
      conditions: [],
    });
  });
});

describe('whether a record exists', () => {
  const hers = (): Message => record('Record', { owner: 'eve' });
  const gone = (): never => {
    throw new StatusError(Code.NOT_FOUND, 'no such record', {
      details: [{ typeUrl: 'x/test.Secret', value: Buffer.from('a') }],
    });
  };
  const later =
    (load: () => unknown): (() => Promise<unknown>) =>
    async () => {
      await Promise.resolve();
      return load();
    };

  /** All that a caller could see of a refusal, and after how many turns it comes. */
  async function refusalBy(load: () => unknown, hideExistence: boolean): Promise<unknown> {
    const expression = 'resource.owner == subject.id';
    const requires = { conditions: [{ id: 'owner', expression }], hideExistence };
    const authorizer = authorizerWith(
      { Get: { requires } },
      { loaders: { 'records.v1.Record': load as ResourceLoad } },
    );
    const begun: BegunCall = await authorizer.begin(callOf(GET));
    const seen: { refusal?: unknown } = {};
    let turns = 0;
    Promise.resolve(begun.onMessage!(ask({ name: 'a' }))).catch((error: unknown) => {
      const { code, message, details, trailers } = error as StatusError;
      seen.refusal = { code: Code[code], message, details, trailers };
    });
    for (; seen.refusal === undefined; turns++) await Promise.resolve();
    return { ...seen, turns };
  }

  it.each([true, false])(
    'is in nothing that its caller gets, nor in when: hide_existence %s',
    async (hides) => {
      const code = hides ? 'NOT_FOUND' : 'PERMISSION_DENIED';
      const [at, after] = [await refusalBy(hers, hides), await refusalBy(later(hers), hides)];
      expect(at).toMatchObject({ refusal: { code, details: [] } });
      for (const load of [() => null, hers]) {
        expect(await refusalBy(load, hides)).toEqual(at);
        expect(await refusalBy(later(load), hides)).toEqual(after);
      }
      expect(await refusalBy(later(gone), hides)).toEqual(after);
    },
  );
});
