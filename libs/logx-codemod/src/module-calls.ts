import { ts } from './npm-install/typescript.js';
import type { AppFile } from './app-file.js';
import type { FilesOfApp } from './files-of-app.js';
import { changeLiteral, defaults, dropTypes, leftModule } from './change-module.js';
import { FileChange } from './file-change.js';
import type { LeftOver } from './left-over.js';
import { OptionFollower, type OptionSource } from './option-sources.js';
import { changeType, changeTypeNode } from './option-types.js';

/** A call of `forRoot` or `forRootAsync`. */
interface ModuleCall {
  readonly file: AppFile;
  readonly reference: ts.Identifier;
  readonly node: ts.CallExpression;
  readonly method: string;
  /** Undefined for `forRoot()`. */
  readonly source: OptionSource | undefined;
}

/** A place that keeps a call from being converted. */
type Hindrance = LeftOver & { readonly file: AppFile };

/**
 * Converts the calls of `forRoot` and `forRootAsync` in all files, with the constants and functions that they
 * take their options from. Those that share one are all converted or all left as they are.
 *
 * @param changeOf the change of a file; undefined for one that must not be changed.
 */
export function changeModuleCalls(
  examined: readonly AppFile[],
  files: FilesOfApp,
  changeOf: (file: AppFile) => FileChange | undefined,
): void {
  const calls = examined.flatMap((file) => callsIn(file, files));
  const hindrances = new Map<ModuleCall, Hindrance[]>();
  for (const call of calls) {
    const found = hindrancesOf(call, changeOf);
    if (found.length > 0) hindrances.set(call, found);
  }
  // A declaration is left with each of its uses, which may leave others.
  for (let before = -1; before !== hindrances.size;) {
    before = hindrances.size;
    const visited = new Set<ts.Node>();
    for (const call of calls) {
      if (hindrances.has(call)) continue;
      for (const node of call.source?.visited ?? []) visited.add(node);
    }
    for (const call of calls.filter((it) => !hindrances.has(it))) {
      const others = otherUses(call, files, visited);
      if (others.length > 0) hindrances.set(call, others);
    }
  }
  for (const call of calls) {
    const found = hindrances.get(call);
    if (found === undefined) convert(call, changeOf);
    else
      for (const { file, ...leftOver } of found)
        noteOnce(leftOver, changeOf(file) ?? changeOf(call.file)!);
  }
}

function callsIn(file: AppFile, files: FilesOfApp): ModuleCall[] {
  return file.names
    .filter(({ exported }) => exported === 'LoggerModule')
    .flatMap(({ references }) => references)
    .flatMap((reference): ModuleCall[] => {
      const { parent } = reference;
      if (!ts.isPropertyAccessExpression(parent) || !ts.isCallExpression(parent.parent)) return [];
      const node = parent.parent;
      const method = parent.name.text;
      const [given] = node.arguments;
      const follower = new OptionFollower(files);
      const source =
        given === undefined
          ? undefined
          : method === 'forRoot'
            ? follower.options(given, file)
            : follower.asyncOptions(given, file);
      return [{ file, reference, node, method, source }];
    });
}

/** What hinders the conversion of a call, apart from other uses of the same constants. */
function hindrancesOf(
  { file, node, method, source }: ModuleCall,
  changeOf: (file: AppFile) => FileChange | undefined,
): Hindrance[] {
  const here = (what: string): Hindrance[] => [{ file, ...leftModule(node, what) }];
  if (source === undefined) {
    return method === 'forRoot' ? [] : here(`LoggerModule.${method} without options`);
  }
  if (node.arguments.length > 1) return here(`LoggerModule.${method} with more than its options`);
  const [obstacle] = source.obstacles;
  if (obstacle !== undefined) {
    const place = obstacle.file === file ? '' : ` in ${obstacle.file.path}`;
    return here(
      `LoggerModule.${method} with options that are not written out: ${obstacle.what}${place}`,
    );
  }
  const scratch = new Map<AppFile, FileChange>();
  const scratchOf = (at: AppFile): FileChange | undefined => {
    if (changeOf(at) === undefined) return undefined;
    const known = scratch.get(at) ?? new FileChange(at);
    scratch.set(at, known);
    return known;
  };
  return source.literals
    .flatMap((found): Hindrance[] => {
      const change = scratchOf(found.file);
      if (change === undefined) {
        return here(
          `LoggerModule.${method} with options in ${found.file.path}, which cannot be changed`,
        );
      }
      const wrong = changeLiteral(found.literal, change).map((it) => ({ file: found.file, ...it }));
      if (wrong.length === 0 || found.file === file) return wrong;
      return [
        ...wrong,
        ...here(`LoggerModule.${method} with options that are left over in ${found.file.path}`),
      ];
    })
    .concat(wrongTypes(source, scratchOf));
}

function wrongTypes(
  { typed, casts }: OptionSource,
  changeOf: (file: AppFile) => FileChange | undefined,
): Hindrance[] {
  const wrong = [
    ...typed.filter((it) => !changeType(it, changeOf(it.file)!)),
    ...casts.filter(({ file, node }) => !changeTypeNode(node, changeOf(file)!)),
  ];
  return wrong.map(({ file, node }) => ({
    file,
    position: node.getStart(),
    what: 'options of LoggerModule with a type that is not Params',
    remedy: 'give them the type Params, and run this again',
    row: '`forRootAsync`',
  }));
}

/** Uses of the constants and functions of a call by other code. */
function otherUses(
  { file, node, method, source }: ModuleCall,
  files: FilesOfApp,
  visited: ReadonlySet<ts.Node>,
): Hindrance[] {
  for (const declared of source?.declared ?? []) {
    const other = files.referencesTo(declared).find((it) => !visited.has(it.node));
    if (other === undefined) continue;
    const line = other.file.text.slice(0, other.node.getStart()).split('\n').length;
    const what =
      `LoggerModule.${method} with ${declared.name ?? 'options'}, which other code uses too: ` +
      `${other.file.path}:${line}`;
    return [{ file, ...leftModule(node, what) }];
  }
  return [];
}

function convert(
  { file, reference, node, source }: ModuleCall,
  changeOf: (file: AppFile) => FileChange | undefined,
): void {
  const change = changeOf(file)!;
  change.rename(reference, 'LogxModule');
  if (source === undefined) {
    change.insert(node.end - 1, defaults(change));
    return;
  }
  // A literal that several calls share is converted for each: the same edits count once.
  for (const it of source.literals) changeLiteral(it.literal, changeOf(it.file)!);
  for (const it of source.typed) changeType(it, changeOf(it.file)!);
  for (const it of source.casts) changeTypeNode(it.node, changeOf(it.file)!);
  for (const factory of source.inline) dropTypes(factory, change);
}

function noteOnce(leftOver: LeftOver, { leftOvers }: FileChange): void {
  const isKnown = leftOvers.some(
    ({ position, what }) => position === leftOver.position && what === leftOver.what,
  );
  if (!isKnown) leftOvers.push(leftOver);
}
