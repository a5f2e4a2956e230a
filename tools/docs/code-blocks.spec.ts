import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { type CodeBlock, codeBlocksOf } from './code-blocks.js';
import { pagesForUsers } from './pages.js';
import { protoMistakes } from './proto-check.js';
import { typeMistakes } from './type-check.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const blocks = pagesForUsers(root).flatMap((page) => codeBlocksOf(root, page));

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

/** A block as if it began in line 7 of a page. */
function block(language: string, code: string): CodeBlock {
  return { page: 'page.md', place: 'page.md:7', line: 7, language, code, given: '' };
}

describe('the pages for users', () => {
  it('show TypeScript that compiles against the packages', () => {
    expect(typeMistakes(root, inLanguage('ts'))).toEqual([]);
  });

  it('show .proto files that compile', () => {
    expect(protoMistakes(root, inLanguage('proto'))).toEqual([]);
  });

  it('show JSON and YAML that can be read', () => {
    const json = inLanguage('json').flatMap((block) => mistakeOf(block, JSON.parse));
    const yaml = inLanguage('yaml').flatMap((block) => mistakeOf(block, parseAll));
    expect([...json, ...yaml]).toEqual([]);
  });
});

function parseAll(text: string): void {
  for (const document of text.split(/^---$/m)) parse(document);
}

describe('the place of a mistake is told', () => {
  it('in TypeScript', () => {
    const code = "import { Rol } from '@apix/authz';\nexport const port: number = '3000';\n";
    expect(typeMistakes(root, [block('ts', code)])).toEqual([
      expect.stringMatching(/^page\.md:7: .*no exported member 'Rol'/),
      "page.md:8: Type 'string' is not assignable to type 'number'.",
    ]);
  });

  it('in .proto files', () => {
    const code = 'message Order {\n  Money price = 1;\n}\n';
    expect(protoMistakes(root, [block('proto', code)])).toEqual([
      'page.md:8: cannot find `Money` in this scope',
    ]);
  });
});
