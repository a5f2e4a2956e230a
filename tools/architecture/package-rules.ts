import { DEPENDENCY_TABLE } from './dependency-table.js';
import { siblingRange } from '../publishing/published-manifest.js';
import type { Rule } from './import-rules.js';

/** Exports are named, so that a reader finds them and a rename is seen. */
export const exportsAreNamed: Rule = (packages) =>
  packages.flatMap(({ folder, modules }) =>
    modules.flatMap(({ path, exportsAll, exportsDefault }) => [
      ...(exportsAll ? [`libs/${folder}/src/${path} has an \`export *\``] : []),
      ...(exportsDefault ? [`libs/${folder}/src/${path} has a default export`] : []),
    ]),
  );

/** Every subpath has its index.ts, and every index.ts is a subpath: no inner barrels. */
export const indexesAreSubpaths: Rule = (packages) =>
  packages.flatMap(({ folder, manifest, modules }) => {
    const published = Object.values(manifest.exports ?? {}).flatMap((entry) => {
      const file = typeof entry === 'string' ? entry : (entry['default'] ?? '');
      return file.startsWith('./dist/')
        ? [file.slice('./dist/'.length).replace(/\.js$/, '.ts')]
        : [];
    });
    const indexes = modules
      .map(({ path }) => path)
      .filter((path) => /(?:^|\/)index\.ts$/.test(path));
    return [
      ...published
        .filter((path) => !indexes.includes(path))
        .map((path) => `libs/${folder}/package.json exports ${path}, which src does not have`),
      ...indexes
        .filter((path) => !published.includes(path))
        .map((path) => `libs/${folder}/src/${path} is an index that package.json does not export`),
    ];
  });

/** What `exports` says is said again for `moduleResolution: node10`, which does not read it. */
export const node10FindsEveryEntry: Rule = (packages) =>
  packages.flatMap(({ folder, manifest }) => {
    const { main, types, typesVersions = {}, exports = {} } = manifest;
    const place = `libs/${folder}/package.json`;
    return Object.entries(exports).flatMap(([path, target]) => {
      if (typeof target === 'string' || path.includes('*')) return [];
      if (path === '.') {
        const isSame = main === target['default'] && types === target['types'];
        return isSame ? [] : [`${place}: main and types are not those of exports`];
      }
      const [found] = typesVersions['*']?.[path.slice('./'.length)] ?? [];
      return found === target['types'] ? [] : [`${place}: typesVersions lacks ${path}`];
    });
  });

/** A manifest brings along only what the table allows, at the version of the whole repository or a later patch of it. */
export const manifestsFollowTheTable: Rule = (packages) =>
  packages.flatMap(({ folder, manifest, references }) => {
    const row = DEPENDENCY_TABLE[folder];
    if (row === undefined) return [`libs/${folder} is not in the dependency table`];
    const siblings = row.siblings.map((name) => `@apix/${name}`);
    const dependencies = Object.entries(manifest.dependencies ?? {});
    const used = dependencies.map(([name]) => name).filter((name) => name.startsWith('@apix/'));
    const referenced = references.map((name) => `@apix/${name}`);
    return [
      ...dependencies
        .filter(([name]) => !siblings.includes(name) && !row.dependencies.includes(name))
        .map(([name]) => `libs/${folder} depends on ${name}, which the table does not allow`),
      ...dependencies
        .filter(
          ([name, version]) =>
            name.startsWith('@apix/') && version !== siblingRange(manifest.version),
        )
        .map(
          ([name]) =>
            `libs/${folder} wants ${name} in another range than ${siblingRange(manifest.version)}`,
        ),
      ...used
        .filter((name) => !referenced.includes(name))
        .map((name) => `libs/${folder}/tsconfig.lib.json does not reference ${name}`),
    ];
  });

/** What a package needs to be published. */
export const packagesArePublishable: Rule = (packages) =>
  packages.flatMap(({ folder, manifest, hasReadme }) => {
    const missing = [
      hasReadme ? '' : 'a README.md',
      manifest.license === 'Apache-2.0' ? '' : 'the licence Apache-2.0',
      (manifest.description ?? '') === '' ? 'a description' : '',
      manifest.type === 'module' ? '' : 'the type "module"',
      manifest.files?.includes('dist') === true ? '' : 'dist among its files',
      manifest.name === `@apix/${folder}` ? '' : `the name @apix/${folder}`,
    ];
    return missing.filter((it) => it !== '').map((it) => `libs/${folder} lacks ${it}`);
  });
