import { afterEach, describe, expect, it } from '@jest/globals';
import { DECISIONS, everyPolicyAs, policySet } from '../policy-set.fixture.js';
import { celConditions } from '../conditions/cel-conditions.js';
import { RECORDS } from '../records.fixture.js';
import { type PolicyServer, startPolicyServer } from './policy-server.js';

let policies: PolicyServer;
afterEach(() => policies.close());

describe.each(['unary', 'server_stream', 'client_stream', 'bidi_stream'] as const)(
  'over gRPC, a %s call',
  (kind) => {
    it('is decided as the spec says, and denied before a message is decoded', async () => {
      policies = await startPolicyServer({ descriptors: policySet(everyPolicyAs(kind)) });
      const table: unknown[] = [];
      const expected: unknown[] = [];
      for (const [method, who, status] of DECISIONS) {
        const answer = await policies.call(method, who);
        table.push([method, answer.status, answer.status === 'OK' || answer.decoded === 0]);
        expected.push([method, status, true]);
      }
      expect(table).toEqual(expected);
    });

    it('to a method without a handler is answered, and admits no caller', async () => {
      policies = await startPolicyServer({ descriptors: policySet(everyPolicyAs(kind)) });
      const answer = await policies.call('/test.Orders/Nope', { roles: ['staff', 'admin'] });
      expect(answer).toMatchObject({ status: 'UNIMPLEMENTED', decoded: 0 });
    });
  },
);

it('decides conditions about a table of records', async () => {
  policies = await startPolicyServer({
    descriptors: new URL('../../testdata/records.binpb', import.meta.url).pathname,
    conditions: celConditions(),
    records: { 'records.v1.Record': { mine: { owner: 'ada' }, hers: { owner: 'eve' } } },
  });
  const ada = { id: 'ada', roles: ['user'] };
  for (const { name } of RECORDS.services[0]!.methods.slice(0, 4)) {
    const answers = ['mine', 'hers', 'none'].map((each) =>
      policies.call(`/records.v1.Records/${name}`, ada, { name: each }),
    );
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([
      'OK',
      'PERMISSION_DENIED',
      'PERMISSION_DENIED',
    ]);
  }
});

it('says which of the records a list of any kind shows', async () => {
  policies = await startPolicyServer({
    descriptors: new URL('../../testdata/lists.binpb', import.meta.url).pathname,
    conditions: celConditions(),
    records: {
      'records.v1.Record': { mine: { owner: 'ada' }, hers: { owner: 'eve', state: 'STATE_OPEN' } },
    },
  });
  const listedFor = async (method: string, roles: readonly string[], request = {}) => {
    const { status, listed } = await policies.call(
      `/records.v1.Lists/${method}`,
      { id: 'ada', roles },
      request,
    );
    return [status, listed];
  };
  for (const method of ['List', 'ListState', 'ListAll', 'Follow']) {
    expect(await listedFor(method, ['user'])).toEqual(['OK', ['mine']]);
    expect(await listedFor(method, [])).toEqual(['PERMISSION_DENIED', undefined]);
  }
  expect(await listedFor('List', ['user', 'staff'])).toEqual(['OK', ['mine', 'hers']]);
  const open = { state: 'STATE_OPEN' };
  expect(await listedFor('ListState', ['user', 'staff'], open)).toEqual(['OK', ['hers']]);
});

it('gives each caller what it may see of the answers that methods are said to have', async () => {
  const person = { name: 'people/1', owner: 'ada', email: 'a@x', phone: '1' };
  policies = await startPolicyServer({
    descriptors: new URL('../../testdata/fields.binpb', import.meta.url).pathname,
    conditions: celConditions(),
    answers: {
      '/fields.v1.Directory/Get': person,
      '/fields.v1.Directory/Watch': person,
      '/fields.v1.Directory/Gather': { people: [person] },
      '/fields.v1.Directory/Chat': person,
    },
  });
  const seen = async (method: string, id: string, ...roles: string[]) => {
    const { answer } = await policies.call(`/fields.v1.Directory/${method}`, { id, roles });
    const [one = answer] = (answer as { people?: unknown[] }).people ?? [];
    return Object.keys(one as object);
  };
  for (const method of ['Get', 'Watch', 'Gather', 'Chat']) {
    expect(await seen(method, 'ada', 'user')).toEqual(['name', 'owner', 'email']);
    expect(await seen(method, 'eve', 'user')).toEqual(['name', 'owner']);
    expect(await seen(method, 'sam', 'user', 'staff')).toEqual(['name', 'owner', 'phone', 'email']);
  }
  const denied = await policies.call('/fields.v1.Directory/Get', { id: 'ada' });
  expect(denied).toMatchObject({ status: 'PERMISSION_DENIED', decoded: 0 });
  expect(denied.answer).toBeUndefined();
  const wrong = { '/fields.v1.Directory/Gone': {} };
  const descriptors = new URL('../../testdata/fields.binpb', import.meta.url).pathname;
  await expect(
    startPolicyServer({ descriptors, conditions: celConditions(), answers: wrong }),
  ).rejects.toThrow('authz: answers: the descriptors have no method /fields.v1.Directory/Gone');
});
