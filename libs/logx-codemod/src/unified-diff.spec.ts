import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { type Edit, edited } from './edit.js';
import { unifiedDiff } from './unified-diff.js';

/** What `patch` makes of a text: it holds the lines around a change against those that are there. */
function patched(text: string, diff: string): string {
  const old = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const hunks = diff.split(/^(@@ .*)\n/m).slice(1);
  const result: string[] = [];
  let at = 0;
  for (let i = 0; i < hunks.length; i += 2) {
    const [from = 0, taken = 0, to = 0, put = 0] = hunks[i]!.match(/\d+/g)!.map(Number);
    result.push(...old.slice(at, from - 1));
    at = from - 1;
    expect(to).toBe(result.length + 1);
    const lines = linesOf(hunks[i + 1]!);
    const before = lines.filter(({ sign }) => sign !== '+').map((line) => line.text);
    const after = lines.filter(({ sign }) => sign !== '-').map((line) => line.text);
    expect(old.slice(at, at + taken)).toEqual(before);
    expect(after).toHaveLength(put);
    result.push(...after);
    at += taken;
  }
  return [...result, ...old.slice(at)].join('');
}

function linesOf(hunk: string): { sign: string; text: string }[] {
  const lines = hunk.replaceAll('\n\\ No newline at end of file', '\\').split('\n').slice(0, -1);
  return lines.map((line) => {
    const isOpen = line.endsWith('\\');
    return { sign: line[0]!, text: isOpen ? line.slice(1, -1) : `${line.slice(1)}\n` };
  });
}

describe('a diff of edits', () => {
  it('of a line that is doubled adds that line', () => {
    const diff = unifiedDiff('/src/a.ts', 'x\n', [{ start: 0, end: 0, text: 'x\n' }]);
    expect(diff).toBe('--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,1 +1,2 @@\n x\n+x\n');
  });

  it('without edits is empty', () => {
    expect(unifiedDiff('a.ts', 'x\n', [])).toBe('');
  });

  it('makes of the text what the edits make of it', () => {
    const line = fc.constantFrom('a', 'b', '', '}');
    const text = fc
      .tuple(fc.array(line, { maxLength: 20 }), fc.constantFrom('', '\n'))
      .map(([lines, end]) => lines.join('\n') + end);
    const edit = (length: number): fc.Arbitrary<Edit> =>
      fc
        .tuple(fc.nat(length), fc.nat(length), fc.array(line, { maxLength: 3 }))
        .map(([one, other, put]) => ({
          start: Math.min(one, other),
          end: Math.max(one, other),
          text: put.join('\n'),
        }));
    const cases = text.chain((of) =>
      fc.tuple(fc.constant(of), fc.array(edit(of.length), { maxLength: 4 })),
    );
    fc.assert(
      fc.property(cases, ([before, edits]) => {
        expect(patched(before, unifiedDiff('a.ts', before, edits))).toBe(edited(before, edits));
      }),
      { numRuns: 200 },
    );
  });
});
