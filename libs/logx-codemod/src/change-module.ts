import { ts } from './npm-install/typescript.js';
import { visit } from './app-file.js';
import { indentAt } from './code-style.js';
import type { FileChange } from './file-change.js';
import type { LeftOver } from './left-over.js';
import { type ModuleOptions, readMembers } from './module-options.js';
import type { OptionFunction } from './option-sources.js';
import { writtenMember } from './sinks-of.js';

/** Converts the references to the module that are not calls of `forRoot` or `forRootAsync`. */
export function changeModules(change: FileChange): void {
  const references = change.file.names
    .filter(({ exported }) => exported === 'LoggerModule')
    .flatMap((it) => it.references);
  for (const reference of references.filter((it) => ts.isArrayLiteralExpression(it.parent))) {
    changeElement(reference, change);
  }
  const isLeft = references.some((it) => isCalled(it) && !change.isGone(it));
  for (const reference of references.filter((it) => !change.isGone(it) && !isCalled(it))) {
    const { parent } = reference;
    // `ReturnType<typeof LoggerModule.forRoot>`
    const isType = ts.isQualifiedName(parent) && ts.isTypeQueryNode(parent.parent);
    if (isType && !isLeft) change.rename(reference, 'LogxModule');
    else change.leftOvers.push(leftModule(reference, 'LoggerModule, used as a value'));
  }
}

function isCalled({ parent }: ts.Identifier): boolean {
  return ts.isPropertyAccessExpression(parent);
}

/** Removes further imports of the module, which is global, and its exports from modules that do not import it. */
function changeElement(reference: ts.Identifier, change: FileChange): void {
  const array = reference.parent as ts.ArrayLiteralExpression;
  const list = ts.isPropertyAssignment(array.parent) ? array.parent.name.getText() : '';
  if (list !== 'imports' && list !== 'exports') return;
  const { text } = change.file;
  const hasOwn =
    /\bLoggerModule\b|\bforRoot(?:Async)?\b/.test(text) && isChangedHere(array, change);
  if (list === 'exports' && hasOwn) {
    change.rename(reference, 'LogxModule');
    return;
  }
  change.removeElement(reference, array.elements);
  change.gone(reference);
}

/** Whether the module with the list imports the module that has become `LogxModule.forRoot`. */
function isChangedHere(array: ts.ArrayLiteralExpression, change: FileChange): boolean {
  const definition = array.parent.parent;
  if (!ts.isObjectLiteralExpression(definition)) return false;
  const imports = writtenMember(definition, 'imports');
  let found = false;
  if (imports === undefined) return false;
  visit(imports, (it) => {
    found ||= ts.isIdentifier(it) && change.isGone(it) && ts.isPropertyAccessExpression(it.parent);
  });
  return found;
}

/** Converts a literal of options; returns what it cannot convert, and then changes nothing. */
export function changeLiteral(literal: ts.ObjectLiteralExpression, change: FileChange): LeftOver[] {
  const options: ModuleOptions = { top: new Map(), http: new Map(), sinks: [], inlined: [] };
  const wrong = readMembers(literal.properties, options, change);
  if (wrong.length > 0) return wrong;
  const code = optionsCode(options, literal, change);
  change.replace(literal, code);
  for (const node of [literal, ...options.inlined]) dropReferences(node, code, change);
  return [];
}

/** Removes the declared return type of a factory, which is a type of nestjs-pino. */
export function dropTypes({ type }: OptionFunction, change: FileChange): void {
  if (type === undefined) return;
  change.edits.push({ start: type.pos - 1, end: type.end, text: '' });
  visit(type, (it) => change.gone(it));
}

/** The options of `forRoot()`. */
export function defaults(change: FileChange): string {
  return `{ timeFormat: ${change.style.quote}TimeRFC3339Ms${change.style.quote}, stackTrace: true }`;
}

function optionsCode(
  { top, http, sinks, inlined }: ModuleOptions,
  literal: ts.ObjectLiteralExpression,
  change: FileChange,
): string {
  const { style, file } = change;
  const base = indentAt(file.text, literal.getStart());
  // Why: docs/decisions/0212
  if (!top.has('timestamp') && !top.has('timeFormat')) top.set('timeFormat', "'TimeRFC3339Ms'");
  top.set('stackTrace', 'true');
  const inner = base + style.indent;
  if (sinks.length > 0) top.set('sinks', `[${sinks.filter((it) => it !== '').join(', ')}]`);
  if (http.size > 0) top.set('http', objectCode(http, inner, change));
  const code = objectCode(top, base, change).replaceAll(
    /'(TimeRFC3339Ms|TimeUnixMs|off|2xx)'/g,
    `${style.quote}$1${style.quote}`,
  );
  const lost = [literal, ...inlined].flatMap(commentsIn).filter((it) => !code.includes(it));
  return lost.length === 0
    ? code
    : code.replace('{', () => `{${lost.map((it) => style.eol + inner + it).join('')}`);
}

function objectCode(
  members: ReadonlyMap<string, string>,
  base: string,
  { style: { eol, indent } }: FileChange,
): string {
  const lines = [...members].map(([name, code]) => `${base}${indent}${name}: ${code},`);
  return `{${eol}${lines.join(eol)}${eol}${base}}`;
}

/** Searches only between the nodes, so that the inside of a string or a pattern is not mistaken for a comment. */
function commentsIn(literal: ts.Node): string[] {
  const { text } = literal.getSourceFile();
  const found: string[] = [];
  const look = (from: number, to: number): void => {
    found.push(...(text.slice(from, to).match(/\/\/[^\r\n]*|\/\*[^]*?\*\//g) ?? []));
  };
  visit(literal, (it) => {
    if (it !== literal) look(it.getFullStart(), it.getStart());
    if (ts.isObjectLiteralExpression(it)) look(it.properties.end, it.end - 1);
    if (ts.isArrayLiteralExpression(it)) look(it.elements.end, it.end - 1);
  });
  return [...new Set(found)];
}

/** Notes names that the old options used and the new ones do not, so that their imports can be removed. */
function dropReferences(literal: ts.Node, code: string, change: FileChange): void {
  const kept = new Map<string, number>();
  for (const [name] of code.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)) {
    kept.set(name, (kept.get(name) ?? 0) + 1);
  }
  visit(literal, (it) => {
    if (ts.isIdentifier(it) && !kept.has(it.text)) change.gone(it);
  });
}

/** For a use of the module that is to be converted by hand. */
export function leftModule(node: ts.Node, what: string): LeftOver {
  return {
    position: node.getStart(),
    what,
    remedy: 'write LogxModule.forRoot with options of LogxModule, and import it instead of this',
    row: '`forRootAsync`',
  };
}
