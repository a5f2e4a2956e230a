import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { type CodeBlock, codeBlocksOf } from './code-blocks.js';
import { typeMistakes } from './type-check.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const pages = ['README.md', ...markdownIn('docs'), ...markdownIn('libs')];
const blocks = pages.flatMap((page) => codeBlocksOf(root, page));

/** Pages for users: what a decision shows belongs to its day. */
function markdownIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file}`)
    .filter((file) => file.endsWith('.md') && !/node_modules|\/dist\/|\/decisions\//.test(file))
    .toSorted();
}

function inLanguage(language: string): CodeBlock[] {
  return blocks.filter((block) => block.language === language);
}

function mistakeOf(block: CodeBlock, read: (code: string) => unknown): string[] {
  try {
    read(block.code);
    return [];
  } catch (error) {
    return [`${block.place}: ${String(error)}`];
  }
}

describe('the pages for users', () => {
  it('show TypeScript that compiles against the packages', () => {
    expect(typeMistakes(root, inLanguage('ts'))).toEqual([]);
  }, 60_000);

  it('show JSON and YAML that can be read', () => {
    const json = inLanguage('json').flatMap((block) => mistakeOf(block, JSON.parse));
    const yaml = inLanguage('yaml').flatMap((block) => mistakeOf(block, parse));
    expect([...json, ...yaml]).toEqual([]);
  });

  it('would be told where TypeScript does not compile', () => {
    const code = "import { Rol } from '@apix/authz';\nexport const port: number = '3000';\n";
    const block = { page: 'page.md', place: 'page.md:7', line: 7, language: 'ts', code, given: '' };
    expect(typeMistakes(root, [block])).toEqual([
      expect.stringMatching(/^page\.md:7: .*no exported member 'Rol'/),
      "page.md:8: Type 'string' is not assignable to type 'number'.",
    ]);
  }, 60_000);
});
