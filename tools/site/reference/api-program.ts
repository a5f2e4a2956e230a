import { join } from 'node:path';
import ts from 'typescript';
import { entriesOf } from '../../api/entries.js';
import { readPackages } from '../../architecture/package-tree.js';

/** An entry point of a package, with what it exports in the order of its sources. */
export interface ApiEntry {
  /** The folder of the package: `authz`. */
  readonly folder: string;
  /** As in an import: `@apix/authz/core`. */
  readonly specifier: string;
  /** Path of its page on the site. */
  readonly path: string;
  readonly exports: readonly ApiExport[];
}

export interface ApiExport {
  readonly name: string;
  readonly symbol: ts.Symbol;
}

export interface Api {
  readonly checker: ts.TypeChecker;
  readonly entries: readonly ApiEntry[];
}

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  skipLibCheck: true,
  noEmit: true,
};

/** Reads the declarations of every entry point of every package, as built into `libs/<name>/dist`. */
export function readApi(root: string): Api {
  const entries = readPackages(root).flatMap(({ folder, manifest }) =>
    entriesOf(manifest).map(({ name, types }) => ({
      folder,
      specifier: name === 'index' ? manifest.name : `${manifest.name}/${name}`,
      path: `api/${folder}/${name}.md`,
      file: join(root, 'libs', folder, types),
    })),
  );
  const program = ts.createProgram({
    rootNames: entries.map(({ file }) => file),
    options: { ...OPTIONS, typeRoots: [join(root, 'node_modules/@types')], types: ['node'] },
  });
  const checker = program.getTypeChecker();
  return {
    checker,
    entries: entries.map(({ file, ...entry }) => ({
      ...entry,
      exports: exportsOf(program, checker, file),
    })),
  };
}

function exportsOf(program: ts.Program, checker: ts.TypeChecker, file: string): ApiExport[] {
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  if (module === undefined) throw new Error(`site: ${file} is not built; run npm run build first`);
  return checker.getExportsOfModule(module).map((symbol) => ({
    name: symbol.name,
    symbol: (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol),
  }));
}
