import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { policySet } from '../policy-set.fixture.js';
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
