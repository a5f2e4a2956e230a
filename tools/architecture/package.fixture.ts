import type { Manifest, Package } from './package-tree.js';
import { parseImports } from './parse-imports.js';

/** A package made of module texts by path. */
export function fakePackage(
  folder: string,
  texts: Readonly<Record<string, string>>,
  manifest: Partial<Manifest> = {},
): Package {
  return {
    folder,
    manifest: {
      name: `@apix/${folder}`,
      version: '1.0.0',
      license: 'Apache-2.0',
      description: 'x',
      type: 'module',
      files: ['dist'],
      ...manifest,
    },
    modules: Object.entries(texts).map(([path, text]) => ({ path, ...parseImports(text) })),
    references: [],
    hasReadme: true,
  };
}
