import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Messages of the catalogue that do not occur in the sources of the package they stand under. */
export function strangeMessages(root: string, page: string): string[] {
  return sectionsOf(root, page).flatMap(({ name, text }) => {
    const sources = sourcesOf(join(root, 'libs', name, 'src'));
    return [...text.matchAll(/^\| `([^`]+)` +\|/gm)]
      .map(([, message]) => message!)
      .filter((message) => !sources.some((source) => patternOf(message).test(source)))
      .map((message) => `@apix/${name} says nowhere: ${message}`);
  });
}

/** Messages that stand twice under a package. */
export function repeatedMessages(root: string, page: string): string[] {
  return sectionsOf(root, page).flatMap(({ name, text }) => {
    const rows = [...text.matchAll(/^\| `([^`]+)` +\|/gm)].map(([, message]) => message!);
    const repeated = rows.filter((message, row) => rows.indexOf(message) !== row);
    return repeated.map((message) => `@apix/${name} has twice: ${message}`);
  });
}

/** Error classes that a package exports and its section does not name. */
export function missingClasses(root: string, page: string): string[] {
  const sections = new Map(sectionsOf(root, page).map(({ name, text }) => [name, text]));
  return readdirSync(join(root, 'libs')).flatMap((name) =>
    exportedErrors(join(root, 'libs', name, 'src'))
      .filter((error) => sections.get(name)?.includes(`\`${error}\``) !== true)
      .map((error) => `@apix/${name} exports ${error}, which is not in its section`),
  );
}

function sectionsOf(root: string, page: string): { name: string; text: string }[] {
  const [, ...sections] = readFileSync(join(root, page), 'utf8').split(/^## @apix\//m);
  return sections.map((section) => {
    const end = section.indexOf('\n');
    return { name: section.slice(0, end), text: section.slice(end) };
  });
}

function exportedErrors(src: string): string[] {
  const exported = filesIn(src)
    .filter((file) => /(^|[/\\])index\.ts$/.test(file))
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/^export \{([^}]*)\}/gm)])
    .flatMap(([, names]) => names!.split(',').map((name) => name.trim()))
    .filter((name) => /^[A-Z]\w*Error$/.test(name));
  return [...new Set(exported)];
}

/** Sources with texts that run over several lines joined, as they are printed. */
function sourcesOf(src: string): string[] {
  return filesIn(src)
    .filter((file) => !/\.(spec|fixture)\.ts$/.test(file) && !file.includes('/gen/'))
    .map((file) => readFileSync(file, 'utf8').replaceAll(/['"`]\s*\+\s*['"`]/g, ''));
}

/**
 * Where a message has `…`, a source has an expression, or the end of a text. Of an option in a table the source
 * has only what its value must be.
 */
function patternOf(message: string): RegExp {
  const wanted = /^must be (.+), not …$/.exec(message)?.[1];
  const whole = literally(message);
  return new RegExp(wanted === undefined ? whole : `${whole}|['"\`]${literally(wanted)}['"\`]`);
}

function literally(message: string): string {
  const parts = message.split('…').map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return parts.join('[^;]{0,200}?');
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file));
}
