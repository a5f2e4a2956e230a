import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { loadSettings } from '../settings/load-settings.js';
import { readSources } from './read-sources.js';

const folder = mkdtempSync(join(tmpdir(), 'apix-sources-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const read = (...args: string[]) =>
  readSources(loadSettings(['--backend', 'localhost:1', ...args]).settings);

const RULE = { selector: 'a.v1.A.Get', get: '/v1/a' };

describe('files that say what is served', () => {
  it.each([
    ['a list in YAML', '- selector: a.v1.A.Get\n  get: /v1/a\n'],
    ['a list in JSON', JSON.stringify([RULE])],
    ['a google.api.Service', `type: google.api.Service\nhttp:\n  rules: [${JSON.stringify(RULE)}]`],
  ])('are rules as %s', (_what, text) => {
    expect(read('--rules', file('rules.yaml', text)).rules).toEqual([RULE]);
  });

  it.each(['{}', 'http: {}', 'http: {rules: 7}', 'rules', '__proto__: {http: {rules: []}}'])(
    'are no rules as %s',
    (text) => {
      const rules = file('rules.yaml', text);
      expect(() => read('--rules', rules)).toThrow(`${rules}: must be a list of HTTP rules`);
    },
  );

  it('are bytes of each descriptor set', () => {
    const sets = ['--descriptors', file('a', 'A'), '--descriptors', file('b', 'B')];
    expect(read(...sets).descriptors.map(String)).toEqual(['A', 'B']);
  });

  it('are all named that cannot be read', () => {
    const args = ['--rules', 'no.yaml', '--descriptors', 'no-a', '--descriptors', 'no-b'];
    for (const name of ['no.yaml', 'no-a', 'no-b']) {
      expect(() => read(...args)).toThrow(`cannot read ${name}: `);
    }
  });
});
