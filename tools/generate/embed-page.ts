import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';

/** Widely available in browsers since the summer of 2023. */
const BROWSERS = 'es2022';

/** What a page has beside its script, each where it is there. */
const FILES = { PAGE_HTML: 'page.html', PAGE_CSS: 'page.css', PAGE_ICON: 'icon.svg' };

/**
 * A module that holds the files of a page as texts. So they are in the package wherever its
 * modules are, also when somebody bundles their app.
 */
export function embedPage(root: string, folder: string): Buffer {
  const home = join(root, folder);
  const { outputFiles } = buildSync({
    entryPoints: [join(home, 'main.ts')],
    bundle: true,
    format: 'iife',
    target: BROWSERS,
    legalComments: 'none',
    write: false,
    absWorkingDir: root,
  });
  const files = Object.entries(FILES).filter(([, name]) => existsSync(join(home, name)));
  const texts = files.map(
    ([name, file]) => [name, withParts(readFileSync(join(home, file), 'utf8'), home)] as const,
  );
  const constants = [...texts, ['PAGE_JS', outputFiles[0]!.text] as const].map(
    ([name, text]) => `export const ${name} = [\n${lines(text)}].join('\\n');\n`,
  );
  return Buffer.from(
    `// Generated from ${folder} by \`npm run generate\`. Do not edit.\n\n${constants.join('\n')}`,
  );
}

/** A line that names another file of the page, in a comment of HTML or CSS. */
const PART = /^( *)(?:<!--|\/\*) include (\S+) (?:-->|\*\/)$/gm;

/** The text with each file that it names in place of the line that does so, at its indent. */
function withParts(text: string, home: string): string {
  return text.replaceAll(PART, (_, indent: string, file: string) =>
    readFileSync(join(home, file), 'utf8')
      .trimEnd()
      .replaceAll(/^(?=.)/gm, indent),
  );
}

/** One a line, so that a change of the page can be read as one. */
function lines(text: string): string {
  return text
    .split('\n')
    .map((line) => `  ${JSON.stringify(line)},\n`)
    .join('');
}
