import { posix } from 'node:path';
import { ts } from './npm-install/typescript.js';
import {
  type AppFile,
  isMemberName,
  parseAppFile,
  type SourceText,
  specifiersOf,
  visit,
} from './app-file.js';

/** A constant or a function of a file. */
export interface Declared {
  readonly file: AppFile;
  /** Its name in the file; undefined for a default export without one. */
  readonly name: string | undefined;
  readonly node: ts.VariableDeclaration | ts.FunctionDeclaration | ts.ExportAssignment;
}

/** A place that names a declaration. */
export interface NamedAt {
  readonly file: AppFile;
  readonly node: ts.Node;
}

const ENDINGS = ['.ts', '.tsx', '.mts', '.cts', '/index.ts'];
const MAX_STEPS = 16;

/** The files of an app, and which names of one another they use. */
export class FilesOfApp {
  readonly #texts: ReadonlyMap<string, SourceText>;
  readonly #parsed = new Map<string, AppFile>();

  /** @param known those that are parsed already. */
  constructor(files: readonly SourceText[], known: readonly AppFile[]) {
    this.#texts = new Map(files.map((file) => [plain(file.path), file]));
    for (const file of known) this.#parsed.set(plain(file.path), file);
  }

  /** The constant or function that a name in a file means; undefined if it is not certain. */
  declarationOf(name: string, file: AppFile, steps = 0): Declared | undefined {
    const own = declarationsIn(file, name);
    if (own.length > 0) return own.length === 1 ? { file, name, node: own[0]! } : undefined;
    for (const declaration of file.source.statements.filter((it) => ts.isImportDeclaration(it))) {
      const target = this.#target(file, declaration);
      if (target === undefined) continue;
      const asDefault = declaration.importClause?.name?.text === name ? 'default' : undefined;
      const specifier = specifiersOf(declaration).find((it) => it.name.text === name);
      const exported = asDefault ?? (specifier && (specifier.propertyName ?? specifier.name).text);
      if (exported !== undefined) return this.#exportOf(exported, target, steps + 1);
    }
    return undefined;
  }

  /** Where the name is imported from; undefined if it is not imported. */
  moduleOf(name: string, file: AppFile): string | undefined {
    const found = file.source.statements.find(
      (it): it is ts.ImportDeclaration =>
        ts.isImportDeclaration(it) &&
        (it.importClause?.name?.text === name ||
          specifiersOf(it).some((specifier) => specifier.name.text === name)),
    );
    return found && textOf(found.moduleSpecifier);
  }

  /** All places that name it, except its declaration, imports and exports. */
  referencesTo(declared: Declared): NamedAt[] {
    const { file, name } = declared;
    const own = name === undefined ? [] : referencesIn(file, name);
    const found: NamedAt[] = own.map((node) => ({ file, node }));
    for (const path of this.#texts.keys()) {
      const other = path === plain(file.path) ? undefined : this.#importer(path);
      if (other !== undefined) found.push(...this.#usesIn(other, declared));
    }
    return found;
  }

  #usesIn(other: AppFile, declared: Declared): NamedAt[] {
    return other.source.statements.flatMap((it): NamedAt[] => {
      if (!ts.isImportDeclaration(it)) return [];
      const bindings = it.importClause?.namedBindings;
      if (bindings !== undefined && ts.isNamespaceImport(bindings)) {
        const isOfFile = this.#target(other, it) === declared.file;
        return isOfFile ? [{ file: other, node: bindings }] : [];
      }
      const names = [it.importClause?.name, ...specifiersOf(it).map((each) => each.name)];
      return names
        .filter((each) => each !== undefined)
        .filter((each) => this.declarationOf(each.text, other)?.node === declared.node)
        .flatMap((each) => referencesIn(other, each.text).map((node) => ({ file: other, node })));
    });
  }

  #exportOf(name: string, file: AppFile, steps: number): Declared | undefined {
    if (steps > MAX_STEPS) return undefined;
    const stars: AppFile[] = [];
    for (const it of file.source.statements) {
      if (ts.isExportAssignment(it) && name === 'default' && !it.isExportEquals) {
        return ts.isIdentifier(it.expression)
          ? this.declarationOf(it.expression.text, file, steps)
          : { file, name: undefined, node: it };
      }
      if (isExported(it, name) && ts.isFunctionDeclaration(it)) {
        return { file, name: it.name?.text, node: it };
      }
      if (!ts.isExportDeclaration(it)) continue;
      const target = it.moduleSpecifier && this.#target(file, it);
      if (it.exportClause === undefined && target !== undefined) stars.push(target);
      if (it.exportClause === undefined || !ts.isNamedExports(it.exportClause)) continue;
      const specifier = it.exportClause.elements.find((each) => each.name.text === name);
      if (specifier === undefined) continue;
      const inner = (specifier.propertyName ?? specifier.name).text;
      if (it.moduleSpecifier === undefined) return this.declarationOf(inner, file, steps);
      return target && this.#exportOf(inner, target, steps + 1);
    }
    const own = declarationsIn(file, name).filter((it) => isExportedVariable(it));
    if (own.length === 1) return { file, name, node: own[0]! };
    for (const star of stars) {
      const found = this.#exportOf(name, star, steps + 1);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** A file that imports something relative or by an alias, parsed. */
  #importer(path: string): AppFile | undefined {
    const known = this.#parsed.get(path);
    if (known !== undefined) return known;
    return /\bfrom\b/.test(this.#texts.get(path)!.text) ? this.#file(path) : undefined;
  }

  #target(from: AppFile, it: ts.ImportDeclaration | ts.ExportDeclaration): AppFile | undefined {
    const specifier = it.moduleSpecifier && textOf(it.moduleSpecifier);
    return specifier === undefined ? undefined : this.#resolve(from, specifier);
  }

  /** A relative module, or one by an alias if the app has exactly one file whose path ends like that. */
  #resolve(from: AppFile, specifier: string): AppFile | undefined {
    const bare = specifier.replace(/\.([cm]?)js$/, '');
    const ending =
      specifier.endsWith(bare) && bare !== specifier ? ['.ts', '.tsx', '.mts', '.cts'] : ENDINGS;
    if (specifier.startsWith('.')) {
      const base = posix.join(posix.dirname(plain(from.path)), bare);
      const path = ending.map((each) => base + each).find((each) => this.#texts.has(each));
      return path === undefined ? undefined : this.#file(path);
    }
    const tail = /^(?:@|~|src|@src|@app)\/(.+)$/.exec(bare)?.[1];
    if (tail === undefined) return undefined;
    const tails = ending.map((each) => `/${tail}${each}`);
    const paths = [...this.#texts.keys()].filter((path) =>
      tails.some((each) => `/${path}`.endsWith(each)),
    );
    return paths.length === 1 ? this.#file(paths[0]!) : undefined;
  }

  #file(path: string): AppFile {
    const known = this.#parsed.get(path);
    if (known !== undefined) return known;
    const { path: given, text } = this.#texts.get(path)!;
    const file = parseAppFile(given, text);
    this.#parsed.set(path, file);
    return file;
  }
}

/** A constant of a file. */
export interface Constant {
  readonly declaration: ts.VariableDeclaration & { readonly parent: ts.VariableDeclarationList };
  /** Its value, without `as const`. */
  readonly initializer: ts.Expression;
  readonly isExported: boolean;
  readonly uses: readonly ts.Identifier[];
}

/** The only constant of a name in a file. */
export function constantIn(file: AppFile, name: string): Constant | undefined {
  const [declaration, ...others] = declarationsIn(file, name);
  if (declaration === undefined || others.length > 0) return undefined;
  if (!ts.isVariableDeclaration(declaration) || declaration.initializer === undefined)
    return undefined;
  if ((declaration.parent.flags & ts.NodeFlags.Const) === 0) return undefined;
  const { initializer } = declaration;
  const isConst = ts.isAsExpression(initializer) && initializer.type.getText() === 'const';
  return {
    declaration: declaration as Constant['declaration'],
    initializer: isConst ? initializer.expression : initializer,
    isExported: isExportedVariable(declaration) || isExportedApart(file, name),
    uses: referencesIn(file, name),
  };
}

function isExportedApart(file: AppFile, name: string): boolean {
  let found = false;
  visit(file.source, (it) => {
    if (ts.isExportSpecifier(it)) found ||= (it.propertyName ?? it.name).text === name;
    else if (ts.isExportAssignment(it)) found ||= it.expression.getText() === name;
  });
  return found;
}

function plain(path: string): string {
  return posix.normalize(path.replaceAll('\\', '/'));
}

function textOf(node: ts.Expression): string {
  return ts.isStringLiteralLike(node) ? node.text : '';
}

/** The variables and functions of a name, in any scope; other declarations of it make it uncertain. */
function declarationsIn(
  file: AppFile,
  name: string,
): (ts.VariableDeclaration | ts.FunctionDeclaration)[] {
  const found: (ts.VariableDeclaration | ts.FunctionDeclaration)[] = [];
  let isCertain = true;
  visit(file.source, (node) => {
    if (ts.isParameter(node) || ts.isBindingElement(node) || ts.isClassDeclaration(node)) {
      if (node.name !== undefined && ts.isIdentifier(node.name))
        isCertain &&= node.name.text !== name;
    } else if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name)) {
      if (node.name.text === name) found.push(node);
    } else if (ts.isFunctionDeclaration(node) && node.name?.text === name) found.push(node);
  });
  return isCertain ? found : found.concat(found);
}

function referencesIn(file: AppFile, name: string): ts.Identifier[] {
  const found: ts.Identifier[] = [];
  visit(file.source, (node) => {
    if (!ts.isIdentifier(node) || node.text !== name || isMemberName(node)) return;
    const { parent } = node;
    const isDeclaration =
      (ts.isVariableDeclaration(parent) || ts.isFunctionDeclaration(parent)) &&
      parent.name === node;
    const isPassedOn =
      ts.isImportSpecifier(parent) ||
      ts.isImportClause(parent) ||
      ts.isExportSpecifier(parent) ||
      ts.isExportAssignment(parent);
    if (!isDeclaration && !isPassedOn) found.push(node);
  });
  return found;
}

function isExported(node: ts.Statement, name: string): boolean {
  const modifiers = ts.canHaveModifiers(node) ? (ts.getModifiers(node) ?? []) : [];
  const has = (kind: ts.SyntaxKind): boolean => modifiers.some((it) => it.kind === kind);
  if (!has(ts.SyntaxKind.ExportKeyword)) return false;
  if (has(ts.SyntaxKind.DefaultKeyword)) return name === 'default';
  return ts.isFunctionDeclaration(node) && node.name?.text === name;
}

function isExportedVariable(node: ts.Node): boolean {
  const statement = node.parent.parent;
  if (!ts.isVariableStatement(statement)) return false;
  return statement.modifiers?.some((it) => it.kind === ts.SyntaxKind.ExportKeyword) ?? false;
}
