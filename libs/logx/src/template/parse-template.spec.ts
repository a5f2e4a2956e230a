import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createLogger } from '../logger/create-logger.js';
import { collectingSink } from '../testing/collecting-sink.js';
import { literalTemplate, parseTemplate, templateOf } from './parse-template.js';

/** The message and the fields of an event; `@mt` is always the template. */
function event(template: string, args: readonly unknown[]): [string, Record<string, unknown>] {
  const logged = collectingSink();
  createLogger({ sinks: [logged], timestamp: false }).info(template, ...args);
  const { level: _level, '@mt': mt, message, ...fields } = logged.only();
  expect(mt).toBe(template);
  return [message, fields];
}

/** Serilog's rules (https://messagetemplates.org), and what we decided beyond them. */
const GRAMMAR: readonly (readonly [string, string, unknown[], string, object])[] = [
  ['plain text', 'nothing here', [], 'nothing here', {}],
  ['an empty template', '', [], '', {}],
  ['a hole', '{A}', [1], '1', { A: 1 }],
  ['arguments fill holes in order', '{B} {A}', [1, 2], '1 2', { A: 2, B: 1 }],
  ['holes touch', '{A}{B}', [1, 2], '12', { A: 1, B: 2 }],
  ['doubled braces are braces', '{{A}} {{', ['x'], '{A} {', { extra_0: 'x' }],
  ['a hole in doubled braces', '{{{A}}}', [1], '{1}', { A: 1 }],
  ['a single closing brace is text', 'a } b', [], 'a } b', {}],
  ['a single opening brace is text', 'a { b', [], 'a { b', {}],
  ['an unclosed hole is text', '{A', [1], '{A', { extra_0: 1 }],
  ['an empty hole is text', '{}', [1], '{}', { extra_0: 1 }],
  ['spaces make it text', '{ A } {A B}', [1], '{ A } {A B}', { extra_0: 1 }],
  ['other signs make it text', '{A!} {A-B} {$}', [1], '{A!} {A-B} {$}', { extra_0: 1 }],
  ['a hole after a malformed one', '{A{B}', [1], '{A1', { B: 1 }],
  ['a hole after an escape', '{{{{{A}', [1], '{{1', { A: 1 }],
  ['underscores and digits', '{_a1}', [1], '1', { _a1: 1 }],
  ['letters of any language', '{Größe} {名}', [1, 2], '1 2', { Größe: 1, 名: 2 }],
  ['dots in names', '{user.id}', [1], '1', { 'user.id': 1 }],
  ['no dot at an end', '{.a} {a.} {a..b}', [1], '{.a} {a.} {a..b}', { extra_0: 1 }],
  ['positions', '{1} {0}', ['a', 'b'], 'b a', { 0: 'a', 1: 'b' }],
  ['a position twice', '{0} {0}', ['a'], 'a a', { 0: 'a' }],
  ['a position left out', '{1}', ['a', 'b'], 'b', { 1: 'b', extra_0: 'a' }],
  ['positions among names are names', '{1} {A}', ['a', 'b'], 'a b', { 1: 'a', A: 'b' }],
  ['a name twice takes two arguments', '{A} {A}', [1, 2], '1 2', { A: 1 }],
  ['a missing argument keeps the hole', '{A} {B}', [1], '1 {B}', { A: 1 }],
  ['undefined is a value', '{A}', [undefined], 'null', { A: null }],
  [
    'surplus arguments are numbered',
    '{A}',
    [1, { b: 3 }, 2],
    '1',
    { A: 1, extra_0: { b: 3 }, extra_1: 2 },
  ],
  ['alignment to the right', '[{A,5}]', ['ab'], '[   ab]', { A: 'ab' }],
  ['alignment to the left', '[{A,-5}]', ['ab'], '[ab   ]', { A: 'ab' }],
  ['alignment cuts nothing', '[{A,1}]', ['ab'], '[ab]', { A: 'ab' }],
  ['no alignment of zero', '{A,0}', [1], '{A,0}', { extra_0: 1 }],
  ['no alignment of a thousand', '{A,1000}', [1], '{A,1000}', { extra_0: 1 }],
  ['a format', '{A:.2f}', [1.5], '1.50', { A: 1.5 }],
  ['a format of .NET', '{A:#,##0.00}', [1234.5], '1,234.50', { A: 1234.5 }],
  ['a format and an alignment', '[{A,8:.2f}]', [1.5], '[    1.50]', { A: 1.5 }],
  ['an unknown format shows the raw value', '{A:what}', [1.5], '1.5', { A: 1.5 }],
  ['colons in a format', '{A:HH:mm:ss}', ['x'], 'x', { A: 'x' }],
  ['an empty format', '{A:}', [1], '1', { A: 1 }],
  ['a format that does not suit', '{A:.2f}', ['x'], 'x', { A: 'x' }],
  ['objects are JSON', '{A}', [{ b: ['"'] }], '{"b":["\\""]}', { A: { b: ['"'] } }],
  ['@ keeps the structure', '{@A}', [{ b: 1 }], '{"b":1}', { A: { b: 1 } }],
  ['$ makes a text', '{$A}', [{ toString: () => 'me' }], 'me', { A: 'me' }],
  ['$ of a number', '{$A}', [1], '1', { A: '1' }],
  ['texts are not quoted', '{A}', ['say "hi"'], 'say "hi"', { A: 'say "hi"' }],
  [
    'names of the logger get an underscore',
    '{level} {time_}',
    ['x', 'y'],
    'x y',
    { level_: 'x', time__: 'y' },
  ],
];

describe('message templates', () => {
  it.each(GRAMMAR)('%s', (_, template, args, message, fields) => {
    expect(event(template, args)).toEqual([message, fields]);
  });

  it('parses again what is too long to be remembered', () => {
    const long = `${'x'.repeat(1100)} {A}`;
    expect(templateOf(long)).not.toBe(templateOf(long));
    expect(templateOf('short {A}')).toBe(templateOf('short {A}'));
  });

  it('forgets templates that are too many', () => {
    const first = templateOf('first {A}');
    // A full cache takes one of sixteen: fewer than a thousand of so many would be a wonder.
    for (let i = 0; i < 40_000; i++) templateOf(`{generated ${i}`);
    expect(templateOf('first {A}')).not.toBe(first);
  });

  it('gets to know a template that is used while texts made at run time pass', () => {
    for (let i = 0; i < 2_000; i++) templateOf(`{made ${i}`);
    const seen = new Set<unknown>();
    for (let i = 0; i < 1_000; i++) {
      templateOf(`{passing ${i}`);
      seen.add(templateOf('used {A}'));
    }
    expect(templateOf('used {A}')).toBe(templateOf('used {A}'));
    expect(seen.size).toBeLessThan(900);
  });

  it('does not keep a text without braces', () => {
    expect(templateOf('no hole')).not.toBe(templateOf('no hole'));
  });

  it('says any text without holes as it stands', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const [message] = event(literalTemplate(text).text, []);
        expect(message).toBe(text);
      }),
    );
  });

  it('finds the same again in what it found', () => {
    const part = fc.oneof(
      fc.constantFrom('{', '}', '{{', '}}', '{A}', '{B,5:f}', ':', ','),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const { texts, holes } = parseTemplate(parts.join(''));
        const written = texts.map((text, i) => literalTemplate(text).text + (holes[i]?.raw ?? ''));
        const again = parseTemplate(written.join(''));
        expect(again.texts).toEqual(texts);
        expect(again.holes.map(({ raw }) => raw)).toEqual(holes.map(({ raw }) => raw));
      }),
    );
  });
});
