import { ts } from './npm-install/typescript.js';
import {
  type AppFile,
  FOREIGN,
  isBroken,
  parseAppFile,
  type SourceText,
  visit,
} from './app-file.js';
import { changeGroup, nameOfLogger } from './change-loggers.js';
import { FilesOfApp } from './files-of-app.js';
import { changeModules } from './change-module.js';
import { changeErrorInterceptor, changeNestLogger, otherNames } from './change-others.js';
import { changeTokenCalls, changeTokens, type TokenFacts } from './change-tokens.js';
import { type Edit, inOrder } from './edit.js';
import { FileChange } from './file-change.js';
import { inheritors } from './inherited-loggers.js';
import type { LeftOver } from './left-over.js';
import { changeModuleCalls } from './module-calls.js';
import { type FoundLoggers, findLoggers, type LoggerGroup } from './logger-group.js';
import { strangeUses } from './strange-uses.js';

/** The result for a file. */
export interface FilePlan extends SourceText {
  /** In the order of the text; empty if the file does not change. */
  readonly edits: readonly Edit[];
  readonly leftOvers: readonly LeftOver[];
}

interface Examined {
  readonly file: AppFile;
  readonly found: FoundLoggers;
  readonly strange: readonly LeftOver[];
}

/**
 * Converts the files of an app from nestjs-pino to this package. All files that pass a logger to each other
 * must be among them. A file is never left half converted: a logger, a module or a token is changed with
 * everything that belongs to it, or it is named in `leftOvers`.
 *
 * @returns the files that use nestjs-pino. It does not throw.
 */
export function migrate(files: readonly SourceText[]): FilePlan[] {
  const foreign = files.filter(({ text }) => text.includes(FOREIGN));
  const examined = foreign.map(({ path, text }) => examine(parseAppFile(path, text)));
  const heirs = inheritors(examined, files);
  for (const { file, groups } of heirs) {
    const known = examined.find((it) => it.file.path === file.path);
    if (known !== undefined) (known.found.groups as LoggerGroup[]).push(...groups);
    else examined.push({ file, strange: [], found: { ...NOTHING, groups } });
  }
  // Why: docs/decisions/0212
  const isWhole = examined.every(
    ({ found, strange }) =>
      strange.length === 0 &&
      found.obstacles.length === 0 &&
      found.groups.every(({ obstacles }) => obstacles.length === 0),
  );
  const isChanged = ({ obstacles, isShared }: LoggerGroup): boolean =>
    obstacles.length === 0 && (isWhole || !isShared);
  const facts = factsOf(examined, isChanged);
  const changes = new Map<AppFile, FileChange>();
  const changeOf = (file: AppFile): FileChange | undefined => {
    const isClosed =
      isBroken(file.source) ||
      /\.[cm]?jsx?$/.test(file.path) ||
      examined.some((it) => it.file === file && it.strange.length > 0);
    if (isClosed) return undefined;
    const known = changes.get(file) ?? new FileChange(file);
    changes.set(file, known);
    return known;
  };
  const open = examined.filter(({ strange }) => strange.length === 0).map(({ file }) => file);
  const all = new FilesOfApp(files, open);
  changeModuleCalls(open, all, changeOf);
  for (const it of examined)
    changeFile(it, { isChanged, isWhole, facts, change: changeOf(it.file) });
  const strange = examined
    .filter((it) => it.strange.length > 0)
    .map(({ file, strange: leftOvers }) => ({ ...textOf(file), edits: [], leftOvers }));
  const plans = [...changes.values()].map((change) => planOf(change));
  const order = new Map(files.map(({ path }, i) => [path, i]));
  return [...strange, ...plans]
    .filter(({ edits, leftOvers }) => edits.length > 0 || leftOvers.length > 0)
    .toSorted((a, b) => order.get(a.path)! - order.get(b.path)!);
}

function textOf({ path, text }: AppFile): SourceText {
  return { path, text };
}

const NOTHING: FoundLoggers = { groups: [], types: [], tokens: [], obstacles: [] };

function examine(file: AppFile): Examined {
  const strange = isBroken(file.source)
    ? [
        atStart(
          'a mistake of syntax, so that the file cannot be read',
          'correct it and run this again',
        ),
      ]
    : strangeUses(file);
  return { file, strange, found: isBroken(file.source) ? NOTHING : findLoggers(file) };
}

function atStart(what: string, remedy: string): LeftOver {
  return { position: 0, what, remedy };
}

function factsOf(
  examined: readonly Examined[],
  isChanged: (group: LoggerGroup) => boolean,
): TokenFacts {
  const plain = new Map<string, string>();
  const left = new Set<string>();
  for (const group of examined.flatMap(({ found }) => found.groups)) {
    for (const { owner } of group.bindings) {
      const name = owner?.name?.text;
      if (name === undefined) continue;
      if (isChanged(group)) plain.set(name, nameOfLogger(group));
      else left.add(name);
    }
  }
  return { plain, left };
}

interface Circumstances {
  readonly isChanged: (group: LoggerGroup) => boolean;
  readonly isWhole: boolean;
  readonly facts: TokenFacts;
  /** Undefined for a file that must not be changed. */
  readonly change: FileChange | undefined;
}

/** All changes of a file except those of the options of the module. */
function changeFile(
  { found }: Examined,
  { isChanged, isWhole, facts, change }: Circumstances,
): void {
  if (change === undefined) return;
  change.leftOvers.push(...found.obstacles);
  for (const group of found.groups) {
    if (isChanged(group)) changeGroup(group, change);
    else
      change.leftOvers.push(...(group.obstacles.length > 0 ? group.obstacles : [handedOn(group)]));
  }
  if (isWhole) {
    for (const type of found.types) change.rename(type, 'Logger', true);
    changeTokens(
      found.tokens.filter((it) => !change.isGone(it)),
      change,
      facts,
    );
  } else {
    const open = found.tokens.filter((it) => !change.isGone(it) && !isInjected(it));
    change.leftOvers.push(...[...found.types, ...open].map((it) => waiting(it)));
  }
  changeTokenCalls(change, facts);
  changeNestLogger(change);
  changeErrorInterceptor(change);
  changeModules(change);
  change.leftOvers.push(...otherNames(change));
}

function planOf(change: FileChange): FilePlan {
  if (change.edits.length > 0) change.changeImports();
  const leftOvers = change.leftOvers.toSorted((a, b) => a.position - b.position);
  return { ...textOf(change.file), edits: inOrder(change.edits), leftOvers };
}

function isInjected(token: ts.Identifier): boolean {
  return ts.isDecorator(token.parent.parent);
}

function handedOn({ bindings, uses }: LoggerGroup): LeftOver {
  const node = bindings[0]?.node ?? uses[0];
  return waiting(node!);
}

function waiting(node: ts.Node): LeftOver {
  return {
    position: node.getStart(),
    what: 'a PinoLogger that is handed on',
    remedy:
      'it is changed when nothing else of PinoLogger is left over: see to that and run this again',
    row: '`PinoLogger`',
  };
}

/** Whether a text is still valid for the parser. */
export function isValid(path: string, text: string): boolean {
  const { source } = parseAppFile(path, text);
  let nodes = 0;
  visit(source, () => (nodes += 1));
  return nodes > 0 && !isBroken(source);
}
