import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import type { ProtoRegistry } from '@apix/proto/core';
import { celConditions } from '../conditions/cel-conditions.js';
import { fieldSetWith } from '../fields.fixture.js';
import { policySet } from '../policy-set.fixture.js';
import {
  type RecordPolicy,
  type ServicePolicy,
  listsWith,
  recordsWith,
} from '../records.fixture.js';
import { diff } from './diff.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'apix-authz-diff-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes a set with one method that these roles may call; undefined: without the method. */
function setFor(name: string, roles: readonly string[] | undefined): string {
  const file = join(folder, `${name}.binpb`);
  const methods = roles && { Get: { requires: { roles: { anyOf: [...roles] } } } };
  writeFileSync(file, policySet({ Orders: { methods: { Stay: {}, ...methods } } }));
  return file;
}

function diffBetween(before: readonly string[], after: readonly string[], ...args: string[]) {
  return diff([setFor('before', before), setFor('after', after), ...args]);
}

const AIDS = { conditions: celConditions() };
const [GET, PING] = ['/records.v1.Records/Get', '/records.v1.Records/Ping'];
const RECORD = { type: 'records.v1.Record', name: 'name' };

/** Writes `records.v1` with other policies; without a field of its requests, if one is named. */
function recordSet(
  name: string,
  policies: Readonly<Record<string, RecordPolicy>>,
  service: ServicePolicy = {},
  without?: string,
): string {
  return written(name, recordsWith(policies, service), without);
}

function written(name: string, registry: ProtoRegistry, without?: string): string {
  const set = create(FileDescriptorSetSchema, { file: [...registry.files()] });
  const copy = fromBinary(FileDescriptorSetSchema, toBinary(FileDescriptorSetSchema, set));
  const messages = copy.file.flatMap(({ messageType }) => messageType);
  const asked = messages.find((message) => message.name === 'Ask')!;
  asked.field = asked.field.filter((field) => field.name !== without);
  const spends = copy.file.flatMap((file) => file.service).find((each) => each.name === 'Records');
  if (spends !== undefined && without !== undefined) {
    spends.method = spends.method.filter((method) => method.name !== 'Spend');
  }
  const file = join(folder, `${name}.binpb`);
  writeFileSync(file, toBinary(FileDescriptorSetSchema, copy));
  return file;
}

describe('--fail-on', () => {
  it.each([
    ['one role more', 'gained', ['a'], ['a', 'b'], 1],
    ['one role more', 'lost', ['a'], ['a', 'b'], 0],
    ['one role more', 'any', ['a'], ['a', 'b'], 1],
    ['one role fewer', 'gained', ['a', 'b'], ['a'], 0],
    ['one role fewer', 'lost', ['a', 'b'], ['a'], 1],
    ['one role fewer', 'any', ['a', 'b'], ['a'], 1],
    ['the same roles in another order', 'any', ['a', 'b'], ['b', 'a'], 0],
  ])('sees %s: %s', (_what, failOn, before, after, code) => {
    expect(diffBetween(before, after, '--fail-on', failOn).code).toBe(code);
  });
});

describe('a change that reads the same', () => {
  // Printed, both are "any of a, b, c, d".
  const [before, after] = [
    ['a, b', 'c', 'd'],
    ['a', 'b, c', 'd'],
  ];

  it('is reported by who gained and who lost', () => {
    expect(diffBetween(before, after)).toEqual({
      code: 0,
      text: `/test.Orders/Get
  before  roles: any of a, b, c, d
  after   roles: any of a, b, c, d
  gained  roles a
  gained  roles b, c
  lost    roles a, b
  lost    roles c
`,
    });
  });

  it('fails where changes are to fail', () => {
    expect(diffBetween(before, after, '--fail-on', 'gained').code).toBe(1);
  });
});

describe('--format markdown', () => {
  it('is a table whose columns say what they are', () => {
    expect(diffBetween(['a'], ['b', 'c'], '--format', 'markdown').text).toBe(
      `| method | before | after | gained access | lost access |
| --- | --- | --- | --- | --- |
| /test.Orders/Get | roles: any of a | roles: any of b, c | roles b; roles c | roles a |
`,
    );
  });

  it('shows a method that is new', () => {
    const sets = [setFor('without', undefined), setFor('with', ['a'])];
    expect(diff([...sets, '--format', 'markdown']).text).toContain(
      '| /test.Orders/Get | new | roles: any of a | roles a |  |\n',
    );
    expect(diff(sets).text).toContain('  before  (new)\n');
  });

  it('says so where nothing changed', () => {
    expect(diffBetween(['a'], ['a'], '--format', 'markdown').text).toBe('No policy changed.\n');
  });
});

describe('--format json', () => {
  it('has null where a method is new or gone', () => {
    const sets = [setFor('without', undefined), setFor('with', ['a'])] as const;
    const change = (from: string, to: string): unknown =>
      JSON.parse(diff([from, to, '--format', 'json']).text);
    expect(change(sets[0], sets[1])).toEqual([
      {
        method: '/test.Orders/Get',
        before: null,
        after: 'roles: any of a',
        gained: ['roles a'],
        lost: [],
      },
    ]);
    expect(change(sets[1], sets[0])).toMatchObject([
      { before: 'roles: any of a', after: null, gained: [], lost: ['roles a'] },
    ]);
  });
});

describe('definitions and records that conditions use', () => {
  const same = (): string => recordSet('records', {});

  it.each([
    [
      'another definition',
      () =>
        recordSet(
          'definition',
          {},
          { definitions: [{ name: 'owns', expression: 'subject.id in resource.readers' }] },
        ),
      'owner: owns (owns: subject.id in resource.readers; resource: records.v1.Record by name)',
    ],
    [
      'another name of the record',
      () => recordSet('target', { Get: { resource: { ...RECORD, name: 'target.name' } } }),
      'owner: owns (owns: resource.owner == subject.id; resource: records.v1.Record by target.name)',
    ],
  ])('change the policy: %s', (_what, changed, after) => {
    const { text, code } = diff([same(), changed(), '--fail-on', 'any'], AIDS);
    expect([code, text]).toEqual([
      1,
      expect.stringContaining(`  after   roles: any of user; ${after}\n`),
    ]);
    expect(text).toContain(`${GET}\n`);
    expect(text).toContain('  gained  callers that the condition owner refused\n');
    expect(text).toContain('  lost    callers that the condition owner refused\n');
    expect(diff([same(), same(), '--fail-on', 'any'], AIDS).text).toBe('no policy changed\n');
  });
});

describe('--cases', () => {
  const CALLERS = `
callers:
  nobody: null
  ada: { id: ada, roles: [user] }
  eve: { id: eve, roles: [user] }
cases:
`;
  const open = { requires: { roles: { anyOf: ['user'] } } };

  it('says which callers gain or lose on each case, and why they lose', () => {
    const sets = [recordSet('open', { Get: open }), recordSet('records', {})] as const;
    const cases = `
  - { method: ${GET}, allowed: [ada], request: { name: a }, resource: { owner: ada } }
  - { method: ${GET}, allowed: [ada, eve], request: { name: a } }
  - { method: ${PING}, denied: [ada], allowed: [nobody] }`;
    const none = 'there is no value for "resource"';
    const there = diffOn(cases, ...sets);
    expect(there.text.split('\n\n').slice(1).join('\n\n')).toBe(`${GET} (a.yaml: cases[0])
  before  ada, eve
  after   ada
  lost    eve: condition owner: is not met (resource.owner is 'ada', subject.id is 'eve')

${GET} (a.yaml: cases[1])
  before  ada, eve
  after   no caller
  lost    ada: condition owner: fails: ${none} (resource.owner is ${none}, subject.id is 'ada')
  lost    eve: condition owner: fails: ${none} (resource.owner is ${none}, subject.id is 'eve')

3 cases of a.yaml: 2 changed
`);
    const back = diffOn(cases, sets[1], sets[0], '--fail-on', 'lost');
    expect(back.code).toBe(0);
    expect(back.text).toContain(
      '(a.yaml: cases[0])\n  before  ada\n  after   ada, eve\n  gained  eve\n',
    );
    expect(diffOn(cases, sets[1], sets[0], '--fail-on', 'gained').code).toBe(1);
  });

  it('says that nothing changed on any of them', () => {
    const set = recordSet('records', {});
    const cases = `  - { method: ${GET}, allowed: [ada], request: { name: a }, resource: { owner: ada } }`;
    expect(diffOn(cases, set, set, '--fail-on', 'any')).toEqual({
      code: 0,
      text: 'no policy changed\n\n1 case of a.yaml: none changed\n',
    });
  });

  it('needs a request where a condition is new', () => {
    const { text } = diffOn(
      `  - { method: ${GET}, allowed: [ada] }`,
      recordSet('open', { Get: open }),
      recordSet('records', {}),
    );
    expect(text).toContain('  lost    ada: depends on the request; give one\n');
  });

  it('knows methods of one set alone, and as Markdown and JSON', () => {
    const [without, withIt] = [setFor('without', undefined), setFor('with', ['user'])];
    const cases = '  - { method: /test.Orders/Get, allowed: [ada] }';
    const text = diffOn(cases, without, withIt, '--format', 'markdown').text;
    expect(text).toContain(
      '| /test.Orders/Get (a.yaml: cases[0]) | new | ada, eve | ada; eve |  |\n',
    );
    expect(JSON.parse(diffOn(cases, withIt, without, '--format', 'json').text)).toContainEqual({
      method: '/test.Orders/Get',
      case: 'a.yaml: cases[0]',
      before: 'ada, eve',
      after: null,
      gained: [],
      lost: ['ada: the method is removed', 'eve: the method is removed'],
    });
  });

  it('says for whom a list comes to show a record, or no longer does', () => {
    const where = 'resource.owner == subject.id';
    const list = '/records.v1.Lists/List';
    const init = { type: 'records.v1.Record', where };
    const own = written('own', listsWith('List', init));
    const all = written('all', listsWith('List', null));
    const cases = `  - { method: ${list}, listed: { owner: ada }, allowed: [ada] }`;
    expect(diffOn(cases, all, own).text).toContain(
      `(a.yaml: cases[0])\n  before  ada, eve\n  after   ada\n  lost    eve: the list shows owner == "eve"\n`,
    );
    expect(diffOn(cases, own, all).text).toContain('  gained  eve\n');
  });

  it('says which fields of an answer a caller comes to see, or no longer sees', () => {
    const staff = { roles: { anyOf: ['staff'] } };
    const [before, after] = (['Person.phone', 'Person.name'] as const).map((shown, index) => {
      const file = join(folder, `fields${index}.binpb`);
      writeFileSync(
        file,
        fieldSetWith({ 'Person.phone': staff, 'Person.name': staff, [shown]: {} }),
      );
      return file;
    }) as [string, string];
    const cases = `
  - method: /fields.v1.Directory/Get
    answer: { owner: ada, phone: p, name: n, friends: [{ phone: q }] }
    hidden: { ada: [] }`;
    const { text } = diffOn(cases, before, after);
    for (const name of ['ada', 'eve']) {
      expect(text).toContain(`  gained  ${name}: name is shown\n`);
      expect(text).toContain(`  lost    ${name}: phone is hidden\n`);
      expect(text).toContain(`  lost    ${name}: friends[0].phone is hidden\n`);
    }
    expect(text).not.toContain('nobody: ');
  });

  it('takes fields that only one of the sets has, and no others', () => {
    const [old, now] = [recordSet('old', { Get: open }, {}, 'amount'), recordSet('records', {})];
    const on = (request: string) => () =>
      diffOn(
        `  - { method: ${GET}, allowed: [ada], request: ${request}, resource: { owner: ada } }`,
        old,
        now,
      );
    expect(on('{ amount: 7 }')().text).toContain('  lost    eve: condition owner: is not met');
    expect(on('{ amuont: 7 }')).toThrow('a.yaml: cases[0]: request: is not a records.v1.Ask');
    expect(on('{ amount: 7 }')().text).toContain('  before  ada, eve\n');
  });

  it.each([
    [`  - { method: /records.v1.Records/Gte, allowed: [ada] }`, 'neither set has a method'],
    [
      `  - { method: ${PING}, allowed: [ada], request: {}, resource: {} }`,
      'a.yaml: cases[0]: resource: the policies of the method read none',
    ],
    [`  - { method: ${GET}, allowed: [ada], resource: {} }`, 'resource: needs a request'],
    [`  - { method: ${GET}, allowed: [adda] }`, 'callers has no "adda"'],
  ])('refuses %s', (cases, message) => {
    const set = recordSet('records', {});
    expect(() => diffOn(cases, set, set)).toThrow(message);
  });

  function diffOn(cases: string, before: string, after: string, ...args: string[]) {
    const read = (): string => CALLERS + cases;
    return diff([before, after, '--cases', 'a.yaml', ...args], { ...AIDS, read });
  }
});
