import { readdirSync, readFileSync } from 'node:fs';
import type { SourceText } from './app-file.js';

const FOLDER = new URL('../testdata/', import.meta.url);

/** An app of the test data: its files before and after, and what is left over. */
export interface FixtureApp {
  readonly name: string;
  readonly before: readonly SourceText[];
  readonly after: readonly SourceText[];
  readonly leftOver: readonly string[];
}

/** All apps of the test data. */
export function fixtureApps(): FixtureApp[] {
  return readdirSync(FOLDER).map((file) => {
    const sections = readFileSync(new URL(file, FOLDER), 'utf8')
      .split(/^==== /m)
      .slice(1)
      .map((section) => {
        const end = section.indexOf('\n');
        return { title: section.slice(0, end), text: section.slice(end + 1) };
      });
    const titled = (kind: string): SourceText[] =>
      sections
        .filter(({ title }) => title.startsWith(`${kind} `))
        .map(({ title, text }) => ({ path: title.slice(kind.length + 1), text }));
    const leftOver = sections.find(({ title }) => title === 'left over')?.text ?? '';
    return {
      name: file.replace(/\.txt$/, ''),
      before: titled('before'),
      after: titled('after'),
      leftOver: leftOver.split('\n').filter((line) => line !== ''),
    };
  });
}
