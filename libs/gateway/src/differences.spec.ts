import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { differenceCases } from './fixtures/conformance/difference-cases.fixture.js';

/** Rows that no request to the conformance server can show, and the test that shows them. */
const ELSEWHERE: Readonly<Record<string, readonly [file: string, text: string]>> = {
  'two rules of one method and shape': [
    'rules/compile-services.spec.ts',
    "'refuses two bindings of one shape and names both'",
  ],
  '`**` before more segments': [
    'template/path-template.spec.ts',
    "['/v1/**/x', 5, 'must be the last segment']",
  ],
  'variables inside variables': [
    'template/path-template.spec.ts',
    "['/v1/{a=x/{b}}', 5, 'must not contain other variables']",
  ],
  'JSON text of ListValue in a query': [
    'request/text-value.spec.ts',
    "['list', '[1,[null]]', [1, [null]]],",
  ],
  'body of a DELETE': ['rules/compile-services.spec.ts', "'takes a body of a DELETE'"],
  'other request headers': [
    'http/metadata.spec.ts',
    "'forwards the standard headers and those that are named, no others'",
  ],
  'streams of requests': [
    'http/websocket/web-sockets.spec.ts',
    "'are one frame of JSON a message in both directions, and end with 1000'",
  ],
};

const doc = readFileSync(new URL('../../../docs/gateway-differences.md', import.meta.url), 'utf8');
const rows = doc
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.split('|')[1]?.trim() ?? '')
  .filter((cell) => cell !== '' && !cell.startsWith('---'));

describe('docs/gateway-differences.md', () => {
  it('says nothing of this gateway that no test shows, and no test is left without its row', () => {
    const shown = new Set(differenceCases.map(({ source }) => source));
    expect([...shown, ...Object.keys(ELSEWHERE)].toSorted()).toEqual([...rows].toSorted());
  });

  it.each(Object.entries(ELSEWHERE))('%s: the test is there', (_row, [file, text]) => {
    expect(readFileSync(new URL(file, import.meta.url), 'utf8')).toContain(text);
  });
});
