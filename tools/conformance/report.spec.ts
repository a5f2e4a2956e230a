import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import {
  type BedResult,
  type ConformanceReport,
  bedsOf,
  chosenBeds,
  reportObstacles,
  resultOf,
  tableOf,
  withResults,
} from './report.js';

const PASSED: BedResult = { name: 'conformance:a', verdict: 'passed', seconds: 3.4, last: '5 ok' };
const SKIPPED: BedResult = { name: 'soak', verdict: 'skipped', seconds: 0, last: 'needs root' };
const FAILED: BedResult = { name: 'soak', verdict: 'failed', seconds: 61, last: 'heap grows' };
const REPORT: ConformanceReport = {
  commit: 'abc',
  isChanged: false,
  node: 'v20.20.0',
  results: [PASSED, SKIPPED],
};

describe('the beds', () => {
  it('are all conformance scripts, and at the end the tests that take longest', () => {
    const scripts = { soak: '', build: '', 'conformance:all': '', 'conformance:a': '' };
    expect(bedsOf({ ...scripts, 'test:nodes': '' })).toEqual([
      'conformance:a',
      'test:nodes',
      'soak',
    ]);
  });

  it('of this project include those that have no prefix', () => {
    const file = fileURLToPath(new URL('../../package.json', import.meta.url));
    const { scripts } = JSON.parse(readFileSync(file, 'utf8')) as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    expect(bedsOf(scripts)).toEqual(
      expect.arrayContaining(['conformance:json', 'site:check', 'soak', 'test:nest11']),
    );
  });

  it('are chosen by their names, with the prefix or without it', () => {
    const beds = ['conformance:a', 'conformance:b', 'soak'];
    expect(chosenBeds(beds, ['soak', 'b'])).toEqual(['conformance:b', 'soak']);
    expect(() => chosenBeds(beds, ['b', 'c'])).toThrow('there is no bed c');
  });
});

describe('a bed', () => {
  it.each<[number | null, string, BedResult['verdict'], string]>([
    [0, 'working\n\u001b[32m12 passed\u001b[0m\n\n', 'passed', '12 passed'],
    [1, '11 passed, 1 failed\n', 'failed', '11 passed, 1 failed'],
    [null, '', 'failed', ''],
    [
      0,
      'skipped: booting a systemd needs root on Linux\n',
      'skipped',
      'booting a systemd needs root on Linux',
    ],
    [0, 'skipped: one row\n3 passed', 'passed', '3 passed'],
  ])('that ends with %s after %j has %s', (status, output, verdict, last) => {
    expect(resultOf('soak', status, output, 2)).toEqual({
      name: 'soak',
      verdict,
      seconds: 2,
      last,
    });
  });
});

describe('a report', () => {
  it('keeps the results of an earlier run of the same commit', () => {
    const now = { ...REPORT, results: [FAILED] };
    expect(withResults(REPORT, now).results).toEqual([PASSED, FAILED]);
  });

  it.each<[string, ConformanceReport | undefined, Partial<ConformanceReport>]>([
    ['there is none', undefined, {}],
    ['it is of another commit', REPORT, { commit: 'def' }],
    ['something was changed then', { ...REPORT, isChanged: true }, {}],
    ['something is changed now', REPORT, { isChanged: true }],
  ])('keeps none when %s', (_, before, more) => {
    const now = { ...REPORT, results: [FAILED], ...more };
    expect(withResults(before, now)).toEqual(now);
  });

  it('has a line for each bed and the counts', () => {
    expect(tableOf([PASSED, SKIPPED, { ...FAILED, last: 'x'.repeat(120) }]).split('\n')).toEqual([
      'passed   conformance:a       3 s  5 ok',
      'skipped  soak                0 s  needs root',
      `failed   soak               61 s  ${'x'.repeat(99)}…`,
      '1 passed, 1 failed, 1 skipped',
    ]);
  });
});

describe('a release', () => {
  const beds = ['conformance:a', 'soak'];

  it('goes on with a report of its commit without a failure', () => {
    expect(reportObstacles(REPORT, 'abc', beds)).toEqual([]);
  });

  it.each<[string, ConformanceReport | undefined, RegExp]>([
    ['without a report', undefined, /there is no dist\/conformance\/report\.json: run npm run/],
    ['with one of another commit', { ...REPORT, commit: 'def' }, /is of commit def, not abc/],
    ['with one of changed files', { ...REPORT, isChanged: true }, /with uncommitted changes/],
    [
      'without a bed',
      { ...REPORT, results: [PASSED] },
      /lacks soak: run npm run conformance:all, or each with --only$/,
    ],
    ['with a failed bed', { ...REPORT, results: [PASSED, FAILED] }, /^soak failed: heap grows$/],
  ])('stops %s', (_, report, obstacle) => {
    expect(reportObstacles(report, 'abc', beds)).toEqual([expect.stringMatching(obstacle)]);
  });
});
