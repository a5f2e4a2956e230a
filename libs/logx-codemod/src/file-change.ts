import { ts } from './npm-install/typescript.js';
import { type AppFile, importsOf, specifiersOf } from './app-file.js';
import { type CodeStyle, styleOf } from './code-style.js';
import type { Edit } from './edit.js';
import type { LeftOver } from './left-over.js';

/** The package that replaces nestjs-pino. */
const OURS = '@apix/logx';

/** Local names for exports of `@apix/logx`, if the file already uses the name for something else. */
const ALIASES: Readonly<Record<string, string>> = {
  Logger: 'LogxLogger',
  Level: 'LogxLevel',
  assign: 'assignFields',
};

/** The changes of a file. */
export class FileChange {
  readonly edits: Edit[] = [];
  readonly leftOvers: LeftOver[] = [];
  readonly style: CodeStyle;
  readonly #replaced = new Set<ts.Node>();
  readonly #wanted = new Map<string, { readonly local: string; isType: boolean }>();

  constructor(readonly file: AppFile) {
    this.style = styleOf(file);
  }

  /** Replaces a node by a text; comments before the node are kept. */
  replace(node: ts.Node, text: string): void {
    this.edits.push({ start: node.getStart(), end: node.end, text });
  }

  insert(position: number, text: string): void {
    this.edits.push({ start: position, end: position, text });
  }

  /** Notes that the change removes a reference to an imported name. */
  gone(...references: readonly ts.Node[]): void {
    for (const reference of references) this.#replaced.add(reference);
  }

  /** Replaces a reference to an imported name by a name of `@apix/logx`. */
  rename(reference: ts.Identifier, ours: string, isType = false): void {
    this.replace(reference, this.use(ours, isType));
    this.gone(reference);
  }

  isGone(reference: ts.Node): boolean {
    return this.#replaced.has(reference);
  }

  /** The local name of an export of `@apix/logx`; adds its import. */
  use(ours: string, isType = false): string {
    const known = this.#wanted.get(ours);
    if (known !== undefined) {
      known.isType &&= isType;
      return known.local;
    }
    const imported = this.#ownSpecifiers().find(
      ({ name, propertyName }) => (propertyName ?? name).text === ours,
    );
    const local = imported?.name.text ?? this.#freeName(ours);
    if (imported === undefined) this.#wanted.set(ours, { local, isType });
    return local;
  }

  /** Adds the edits of the imports. Call it once, after all other changes. */
  changeImports(): void {
    const put = this.#newImport();
    let isPut = put === undefined || this.#addedToOwn();
    for (const declaration of importsOf(this.file.source, 'nestjs-pino')) {
      const all = specifiersOf(declaration);
      const kept = all.filter((it) => !this.#isReplaced(it));
      if (all.length === 0 || kept.length === all.length) continue;
      const lines = kept.length === 0 ? [] : [this.#importWith(declaration, kept)];
      if (!isPut) lines.push(put!);
      isPut = true;
      if (lines.length > 0) this.replace(declaration, lines.join(this.style.eol));
      else this.removeLines(declaration);
    }
    if (!isPut) {
      const [first] = this.file.source.statements;
      const foreign = importsOf(this.file.source, 'nestjs-pino').at(-1);
      const isImport = first !== undefined && ts.isImportDeclaration(first);
      const below = isImport ? this.style.eol : this.style.eol.repeat(2);
      if (foreign === undefined) this.insert(first?.getStart() ?? 0, `${put}${below}`);
      else this.insert(foreign.end, `${this.style.eol}${put}`);
    }
    this.#dropUnused();
  }

  /** Removes a declaration, its lines and the blank line below them. */
  removeDeclaration(node: ts.Node): void {
    this.removeLines(node);
    const below = /^[\t ]*\r?\n(\r?\n)/.exec(this.file.text.slice(node.end));
    if (below === null) return;
    const end = node.end + below[0].length;
    this.edits.push({ start: end - below[1]!.length, end, text: '' });
  }

  /** Removes a statement, and its lines if nothing else is on them. */
  removeLines(node: ts.Node): void {
    const { text } = this.file;
    const start = text.lastIndexOf('\n', node.getStart() - 1) + 1;
    const rest = /^[\t ]*(?:\r?\n|$)/.exec(text.slice(node.end));
    const isAlone = text.slice(start, node.getStart()).trim() === '' && rest !== null;
    if (isAlone) this.edits.push({ start, end: node.end + rest[0].length, text: '' });
    else this.replace(node, '');
  }

  /** Removes an element of an array, with its comma. */
  removeElement(element: ts.Node, elements: readonly ts.Node[]): void {
    const index = elements.indexOf(element);
    const next = elements[index + 1];
    const previous = elements[index - 1];
    if (next !== undefined) {
      this.edits.push({ start: element.getStart(), end: next.getStart(), text: '' });
    } else {
      const comma = /^\s*,/.exec(this.file.text.slice(element.end))?.[0].length ?? 0;
      const isLone = previous === undefined;
      const start = isLone ? element.getStart() : previous.end;
      // The comma after the last element is kept, as the comma of the element before it.
      this.edits.push({ start, end: element.end + (isLone ? comma : 0), text: '' });
    }
  }

  #freeName(ours: string): string {
    const isFree = (name: string): boolean => !this.file.identifiers.has(name);
    if (isFree(ours)) return ours;
    let name = ALIASES[ours] ?? `logx${ours[0]!.toUpperCase()}${ours.slice(1)}`;
    while (!isFree(name)) name += '_';
    return name;
  }

  #ownSpecifiers(): readonly ts.ImportSpecifier[] {
    return importsOf(this.file.source, OURS).flatMap((it) => specifiersOf(it));
  }

  #isReplaced(specifier: ts.ImportSpecifier): boolean {
    const name = this.file.names.find((it) => it.specifier === specifier);
    return name?.references.every((it) => this.isGone(it)) ?? false;
  }

  #specifiersOfOurs(): string {
    return [...this.#wanted]
      .toSorted(([a], [b]) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1))
      .map(([ours, { local, isType }]) => {
        const name = ours === local ? ours : `${ours} as ${local}`;
        return isType ? `type ${name}` : name;
      })
      .join(', ');
  }

  #newImport(): string | undefined {
    if (this.#wanted.size === 0) return undefined;
    const { quote, semicolon } = this.style;
    return `import { ${this.#specifiersOfOurs()} } from ${quote}${OURS}${quote}${semicolon}`;
  }

  /** Adds the new names to an existing import of `@apix/logx`; returns false if there is none. */
  #addedToOwn(): boolean {
    const own = importsOf(this.file.source, OURS).find(
      (it) => it.importClause?.phaseModifier === undefined && specifiersOf(it).length > 0,
    );
    const last = own && specifiersOf(own).at(-1);
    if (last === undefined) return false;
    this.insert(last.end, `, ${this.#specifiersOfOurs()}`);
    return true;
  }

  #importWith(declaration: ts.ImportDeclaration, kept: readonly ts.ImportSpecifier[]): string {
    const { text } = this.file;
    const bindings = declaration.importClause!.namedBindings!;
    const names = kept.map((it) => it.getText()).join(', ');
    const before = text.slice(declaration.getStart(), bindings.getStart());
    return `${before}{ ${names} }${text.slice(bindings.end, declaration.end)}`;
  }

  /** Removes other imports that are no longer used, because compilers may reject them. */
  #dropUnused(): void {
    const gone = [...this.#replaced].filter((it) => ts.isIdentifier(it)).map((it) => it.text);
    for (const declaration of this.file.source.statements.filter((it) =>
      ts.isImportDeclaration(it),
    )) {
      if (/^['"]nestjs-pino['"]$/.test(declaration.moduleSpecifier.getText())) continue;
      const all = specifiersOf(declaration);
      const unused = all.filter(({ name: { text } }) => {
        const lost = gone.filter((it) => it === text).length;
        return lost > 0 && (this.file.identifiers.get(text) ?? 0) - lost === 1;
      });
      if (unused.length === 0) continue;
      const kept = all.filter((it) => !unused.includes(it));
      if (kept.length > 0 || declaration.importClause?.name !== undefined) {
        this.replace(declaration, this.#importWith(declaration, kept));
      } else {
        this.removeLines(declaration);
      }
    }
  }
}
