import { expect, it } from '@jest/globals';
import { longerPaths, recordOf, type RecordedPaths } from './ratchet.js';

const FOOTPRINTS = new Map([
  [
    'log',
    [
      { path: 'logx/a.ts', functions: ['one', 'two'] },
      { path: 'logx/b.ts', functions: ['three'] },
    ],
  ],
]);
const REASON = 'Each line has the host, as the specification asks for.';

it.each<[string, RecordedPaths, string[]]>([
  ['A path as long as recorded is accepted', { log: { files: 2, functions: 3 } }, []],
  ['A path shorter than recorded is accepted', { log: { files: 9, functions: 9 } }, []],
  [
    'A path longer than recorded is named, with both figures',
    { log: { files: 1, functions: 2 } },
    ['log: 2 files, recorded are 1', 'log: 3 functions, recorded are 2'],
  ],
  [
    'A path longer than recorded is accepted with a growth and its reason',
    { log: { files: 1, functions: 1, grown: [{ files: 1, functions: 2, reason: REASON }] } },
    [],
  ],
  [
    'A growth that does not suffice is not enough',
    { log: { files: 1, functions: 1, grown: [{ files: 1, functions: 1, reason: REASON }] } },
    ['log: 3 functions, recorded are 2'],
  ],
  [
    'A growth without a reason is refused',
    { log: { files: 1, functions: 1, grown: [{ files: 1, functions: 2, reason: 'grew' }] } },
    ['log: a growth in footprint.json gives no reason'],
  ],
  [
    'A path that is not recorded is named',
    {},
    ['log: nothing is recorded; add it to footprint.json'],
  ],
])('%s', (_, recorded, lines) => {
  expect(longerPaths(FOOTPRINTS, recorded)).toEqual(lines);
});

it.each([
  [102, []],
  [103, ['log: 103 functions, recorded are 100']],
])('Of 100 recorded functions, %i that run are judged with room for a timer', (count, lines) => {
  const functions = Array.from({ length: count }, (_, i) => `f${i}`);
  const measured = new Map([['log', [{ path: 'logx/a.ts', functions }]]]);
  expect(longerPaths(measured, { log: { files: 1, functions: 100 } })).toEqual(lines);
});

it('Recorded lengths accept the paths that they were measured from', () => {
  expect(longerPaths(FOOTPRINTS, recordOf(FOOTPRINTS))).toEqual([]);
});
