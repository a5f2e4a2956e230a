import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { isSearched, SEARCH } from './search-options.js';
import { searchSections } from './search-sections.js';
import { searchWords } from './search-words.js';

const heading = (level: number, id: string, title: string): string =>
  `<h${level} id="${id}" tabindex="-1">${title} <a class="header-anchor" href="#${id}">&ZeroWidthSpace;</a></h${level}>\n`;

describe('the places that a search leads to', () => {
  it('are the headings of a page, each with those above it', () => {
    const html =
      heading(1, 'a', 'The <code>a</code>') +
      '<p>One &amp; two.</p>' +
      heading(2, 'b', 'B') +
      heading(3, 'c', 'C') +
      '<p>Three.</p>' +
      heading(2, 'd', 'D');
    expect(searchSections(html)).toEqual([
      { anchor: 'a', titles: ['The a'], text: 'One two.' },
      { anchor: 'b', titles: ['The a', 'B'], text: '' },
      { anchor: 'c', titles: ['The a', 'B', 'C'], text: 'Three.' },
      { anchor: 'd', titles: ['The a', 'D'], text: '' },
    ]);
  });

  it('are named rows, list items and paragraphs, and the rest belongs to the heading', () => {
    const html =
      heading(1, 'a', 'A') +
      '<p>Before.</p><table><tbody><tr id="at-x"><td><code>x</code></td><td>the x</td></tr></tbody></table>' +
      '<p>Between.</p><ul><li id="at-y"><strong>Y</strong>: the y.</li><li>No name.</li></ul>' +
      '<p>After.</p><p id="at-z"><strong>Z.</strong> The z,</p><pre>code</pre>';
    expect(searchSections(html)).toEqual([
      { anchor: 'a', titles: ['A'], text: 'Before. Between. After.' },
      { anchor: 'at-x', titles: ['A', 'x'], text: 'x the x' },
      { anchor: 'at-y', titles: ['A', 'Y'], text: 'Y : the y. No name.' },
      { anchor: 'at-z', titles: ['A', 'Z'], text: 'Z. The z, code' },
    ]);
  });

  it('are none in a page that has no headings', () => {
    expect(searchSections('<p>Text.</p>')).toEqual([]);
  });
});

describe('the words that a search compares', () => {
  it.each([
    ['rotate', 'rotation'],
    ['rotating', 'rotates'],
    ['policy', 'policies'],
    ['logs', 'log'],
    ['Redact', 'redacted'],
  ])('have %s and %s in common', (one, other) => {
    expect(searchWords(one)).toEqual(searchWords(other));
  });

  it.each([
    ['shutdownTimeout', ['shutdowntimeout', 'shutdown', 'timeout']],
    ['JSONFormat', ['jsonformat', 'json', 'format']],
    ['class', ['class']],
    ['tls', ['tls']],
  ])('of %s are %j', (word, words) => {
    expect(searchWords(word)).toEqual(words);
  });

  it('do not need anything from around the function, which runs in browsers as its own source', () => {
    const alone = runInNewContext(`(${String(searchWords)})`) as typeof searchWords;
    expect(alone('logFiles')).toEqual(searchWords('logFiles'));
  });
});

describe('the order of what a search finds', () => {
  const { boostDocument, fuzzy } = SEARCH.searchOptions;
  const weightOf = (id: string, titles: readonly string[]): number =>
    boostDocument(id, 'x', { titles });

  it('begins with pages, then sections, options, lists and the API', () => {
    const weights = [
      weightOf('/x/guides/a.html#a', []),
      weightOf('/x/guides/a.html#b', ['A']),
      weightOf('/x/guides/a.html#at-b', ['A']),
      weightOf('/x/errors.html#at-b', ['Errors']),
      weightOf('/x/api/authz/index.html#b', ['A']),
    ];
    expect(weights).toEqual(weights.toSorted((a, b) => b - a));
    expect(new Set(weights).size).toBe(weights.length);
  });

  it('does not have words that only look like a short one', () => {
    expect([fuzzy('cors'), fuzzy('kuberntes')]).toEqual([false, 0.2]);
  });
});

it.each([
  ['guides/kubernetes.md', true],
  ['decisions/0320-a.md', false],
  ['decisions/index.md', false],
  ['history.md', false],
  ['changelog.md', false],
  ['packages/history.md', true],
])('whether the search knows %s: %s', (path, known) => {
  expect(isSearched(path)).toBe(known);
});
