import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One fenced block of a page. */
export interface CodeBlock {
  /** Path of the page and the line on which the block's code begins, for messages. */
  readonly place: string;
  readonly page: string;
  readonly line: number;
  readonly language: string;
  readonly code: string;
  /** Name of the file that the block is, where its first line says so: `// main.ts`. */
  readonly file?: string | undefined;
  /** What the page does not show but the code needs: the comment `<!-- given … -->` before it. */
  readonly given: string;
}

const FILE = /^\/\/ ([\w-]+\.ts)\n/;
const BLOCK = /(?:<!-- given\s([^]*?)-->\s*)?^```(\w+)\n([^]*?)^```$/gm;

/** The fenced blocks of a Markdown page, in their order. */
export function codeBlocksOf(root: string, page: string): CodeBlock[] {
  const text = readFileSync(join(root, page), 'utf8');
  return [...text.matchAll(BLOCK)].map((match) => {
    const [whole, given = '', language = '', code = ''] = match;
    const start = match.index + whole.length - '```'.length - code.length;
    const line = text.slice(0, start).split('\n').length;
    const [, file] = FILE.exec(code) ?? [];
    return { place: `${page}:${line}`, page, line, language, code, file, given };
  });
}

/** A fenced block with whatever its fence says. */
export interface Fence {
  readonly place: string;
  readonly page: string;
  /** What stands behind the backticks: `ts`, `sh undo`, or nothing. */
  readonly info: string;
  readonly code: string;
}

const FENCE = /^( *)```([^\n]*)\n([^]*?)^ *```$/gm;

/** All fenced blocks of a Markdown page, also those that no check of a language reads. */
export function fencesOf(root: string, page: string): Fence[] {
  const text = readFileSync(join(root, page), 'utf8');
  return [...text.matchAll(FENCE)].map(({ index, 2: info = '', 3: code = '' }) => {
    const line = text.slice(0, index).split('\n').length + 1;
    return { place: `${page}:${line}`, page, info: info.trim(), code };
  });
}

/** The prose of a page: what is in fences is no link and no heading. */
export function withoutBlocks(text: string): string {
  return text.replaceAll(/^```[^]*?^```$/gm, '');
}
