// Which tests reach Nest, by the imports of the sources.
import { readFile, readdir } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';

const FROM = /(?:^|\n)\s*(?:import|export)(?!\s+type\s)[^;]*?from\s+'([^']+)'/g;
const OTHER = /\bimport\(\s*'([^']+)'|(?:^|\n)import\s+'([^']+)'|new URL\(\s*'([^']+)'/g;

/** The test files below libs/ and apps/ that lead to a package of Nest, sorted. */
export async function testsReachingNest(root) {
  const sources = new Map();
  for (const top of ['libs', 'apps']) {
    for (const path of await readdir(join(root, top), { recursive: true })) {
      if (!path.endsWith('.ts') || /(?:^|[\\/])(?:dist|node_modules)[\\/]/.test(path)) continue;
      const file = join(root, top, path);
      sources.set(file, specifiersIn(await readFile(file, 'utf8')));
    }
  }
  return [...sources.keys()]
    .filter((file) => file.endsWith('.spec.ts') && reachesNest(file, sources, root))
    .map((file) => relative(root, file))
    .toSorted((a, b) => (a < b ? -1 : 1));
}

function specifiersIn(text) {
  return [...text.matchAll(FROM), ...text.matchAll(OTHER)].flatMap((match) =>
    match.slice(1).filter((specifier) => specifier !== undefined),
  );
}

function reachesNest(test, sources, root) {
  const seen = new Set([test]);
  for (const file of seen) {
    for (const specifier of sources.get(file)) {
      if (specifier.startsWith('@nestjs/')) return true;
      const target = targetOf(specifier, file, root);
      if (target !== undefined && sources.has(target)) seen.add(target);
    }
  }
  return false;
}

function targetOf(specifier, file, root) {
  if (specifier.startsWith('.')) return resolve(dirname(file), specifier.replace(/\.js$/, '.ts'));
  const [scope, name, entry = ''] = specifier.split('/');
  return scope === '@apix' ? join(root, 'libs', name, 'src', entry, 'index.ts') : undefined;
}
