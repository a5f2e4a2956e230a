import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';

/** Widely available in browsers since the summer of 2023. */
const BROWSERS = 'es2022';

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
  const read = (name: string): string => readFileSync(join(home, name), 'utf8');
  const texts = {
    PAGE_HTML: read('page.html'),
    PAGE_CSS: read('page.css'),
    PAGE_ICON: read('icon.svg'),
    PAGE_JS: outputFiles[0]!.text,
  };
  const constants = Object.entries(texts).map(
    ([name, text]) => `export const ${name} = [\n${lines(text)}].join('\\n');\n`,
  );
  return Buffer.from(
    `// Generated from ${folder} by \`npm run generate\`. Do not edit.\n\n${constants.join('\n')}`,
  );
}

/** One a line, so that a change of the page can be read as one. */
function lines(text: string): string {
  return text
    .split('\n')
    .map((line) => `  ${JSON.stringify(line)},\n`)
    .join('');
}
