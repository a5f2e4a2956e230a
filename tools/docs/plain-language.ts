import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pagesForUsers } from './pages.js';

/** A phrase that this project's texts do not use, and what to write instead. */
interface Idiom {
  readonly pattern: RegExp;
  readonly plain: string;
}

const THINGS =
  'array|base64|class|code|descriptor|duration|file|function|header|identifier|integer|key|level|list|message|' +
  'method|mistake|name|number|object|origin|path|port|provider|signal|string|text|URL|value';

/** Only phrases without a legitimate use: a match is always to be rewritten. */
const IDIOMS: readonly Idiom[] = [
  { pattern: /\banew\b/, plain: 'again' },
  { pattern: /\bas (it|each) says\b(?! that)/, plain: 'do what the message says' },
  { pattern: /\bas ever\b/, plain: 'as usual' },
  { pattern: /\bbecame of\b/, plain: 'the result of, the state of' },
  { pattern: /\bbeside\b/i, plain: 'next to, in addition to' },
  { pattern: /\bcomes? along\b/, plain: 'is passed too' },
  { pattern: /\bfor want of\b/, plain: 'because there is no …' },
  { pattern: /\bhas the say\b/, plain: 'determines, decides' },
  { pattern: /\bhears? of\b/, plain: 'is notified of, gets' },
  { pattern: /\bheed(s|ed)?\b(?!-)/, plain: 'observe, use' },
  { pattern: /\bin the making\b/, plain: 'that is being created' },
  { pattern: /\bin the place of\b/, plain: 'instead of' },
  { pattern: /\b(is|are) told\b/, plain: 'gets, is called with, is notified' },
  { pattern: /\bknows? nothing of\b/, plain: 'does not know, does not affect' },
  { pattern: /\bmend(s|ed)?\b/, plain: 'fix, correct' },
  { pattern: /\bsees? to it\b/i, plain: 'makes sure' },
  { pattern: /\bserves? on (after|for|until)\b|\bserves on\b(?! a)/, plain: 'keeps serving' },
  { pattern: /, say(?=[,.;)])/, plain: 'for example' },
  { pattern: /\bshall\b/, plain: 'must, will' },
  { pattern: /\bonce more\b/, plain: 'again' },
  { pattern: /\bWhat it throws\b/, plain: 'errors that it throws' },
  { pattern: /\bWhat is used of\b/, plain: 'the part of … that is used' },
  { pattern: /(?<!-)\bstrangers?\b/i, plain: 'unknown callers, anyone' },
  { pattern: /\bthe other way about\b/, plain: 'the reverse' },
  { pattern: /\bWho (knows|needs|wants|writes)\b(?![^.]*\?)/, plain: 'code that, if you' },
  { pattern: /\b(to|can|cannot) be had\b/, plain: 'available' },
  { pattern: /\btold of\b/i, plain: 'called with, called for, reported' },
  { pattern: /\bunlive\b/, plain: 'fails liveness' },
  { pattern: /\bwhoever\b/i, plain: 'anyone who, code that, a caller that' },
  { pattern: /\bwithout a word\b/, plain: 'silently' },
  { pattern: /\bDefault: (nobody|no one)\b/, plain: 'Default: none' },
  { pattern: /\bWhat is no(t an?)? \w+ is\b/, plain: 'anything else is' },
  { pattern: /\/\*\*\s+Has [a-z`{]/, plain: 'Makes …, Registers …' },
  { pattern: new RegExp(`(?<!\\bthere )\\bis no (${THINGS})\\b`, 'i'), plain: 'is not a …' },
];

/** Every idiom in pages, docstrings, comments and messages, as `place: found; write plain`. */
export function idiomsOf(root: string): string[] {
  return [...pagesForUsers(root), ...sourcesOf(root)]
    .filter((file) => file !== 'docs/history.md')
    .flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      const prose = file.endsWith('.md') ? withoutCode(text) : withoutCommentMarks(text);
      return idiomsIn(prose).map((found) => `${file}:${found}`);
    });
}

/** The idioms of one text, as `line: found; write plain`. */
export function idiomsIn(text: string): string[] {
  return IDIOMS.flatMap(({ pattern, plain }) =>
    [...text.matchAll(spacedOut(pattern))].map(({ 0: found, index }) => {
      const line = text.slice(0, index).split('\n').length;
      return `${line}: "${found.replaceAll(/\s+/g, ' ').trim()}"; write "${plain}"`;
    }),
  );
}

/** A phrase may run over the end of a line. */
function spacedOut({ source, flags }: RegExp): RegExp {
  return new RegExp(source.replaceAll(' ', String.raw`\s+`), `${flags}g`);
}

function withoutCode(markdown: string): string {
  const blank = (code: string) => code.replaceAll(/[^\n]/g, '');
  return markdown.replaceAll(/^( *)```.*?^\1```$/gms, blank).replaceAll(/`[^`\n]*`/g, '`');
}

function withoutCommentMarks(source: string): string {
  return source.replaceAll(/\n[ \t]*(?:\*(?!\/)|\/\/)/g, '\n');
}

function sourcesOf(root: string): string[] {
  return readdirSync(join(root, 'libs')).flatMap((name) =>
    readdirSync(join(root, 'libs', name, 'src'), { recursive: true, encoding: 'utf8' })
      .map((file) => `libs/${name}/src/${file.replaceAll('\\', '/')}`)
      .filter((file) => file.endsWith('.ts') && !/\.(spec|fixture)\.ts$|\/gen\//.test(file))
      .toSorted(),
  );
}
