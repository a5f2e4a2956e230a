import { expect, it } from '@jest/globals';
import { listOf, tableOf } from './report.js';

const FOOTPRINTS = new Map([
  [
    'log',
    [
      { path: 'logx/a.ts', functions: ['one', 'two'] },
      { path: 'logx/b.ts', functions: ['three'] },
    ],
  ],
  ['probe', []],
]);

it('The table counts files and functions', () => {
  expect(tableOf(FOOTPRINTS)).toBe(
    ['action  files  functions', 'log         2          3', 'probe       0          0'].join('\n'),
  );
});

it('The list has the functions of each file', () => {
  expect(listOf(FOOTPRINTS)).toBe(
    [
      'log: 2 files, 3 functions',
      '  logx/a.ts',
      '    one, two',
      '  logx/b.ts',
      '    three',
      '',
      'probe: 0 files, 0 functions',
    ].join('\n'),
  );
});
