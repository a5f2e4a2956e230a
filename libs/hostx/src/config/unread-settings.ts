import { nearestName } from '@apix/contracts/internal';
import type { Layer } from './layer.js';
import { type Path, pathText, variableOf } from './path.js';
import type { ReadTracker } from './read-tracker.js';
import type { Tree } from './tree.js';
import type { Setting } from './variables.js';

/** A variable, or a key of a file, that sets something which the schema does not know. */
export interface UnreadSetting {
  readonly path: Path;
  /** The name that was probably meant, or undefined if none is similar. */
  readonly meant: string | undefined;
  /** For people, without the value. */
  readonly text: string;
}

/** The variables that set what the schema has not looked at. */
export function unreadVariables(
  settings: readonly Setting[],
  tracker: ReadTracker,
  prefix: string,
): readonly UnreadSetting[] {
  return settings.flatMap(({ path, variable }) => {
    const at = tracker.unreadPart(path);
    if (at === -1) return [];
    const keys = tracker.keysAt(path.slice(0, at));
    // The last part may be that of a file with the value.
    const names = at === path.length - 1 ? [...keys].flatMap((key) => [key, `${key}File`]) : keys;
    const meant = meantPath(path, at, names);
    const named = meant && variableOf(meant, prefix);
    return [unread(path, variable, path.slice(0, at + 1), named)];
  });
}

/** The keys of files that the schema has not looked at, each once and without those inside it. */
export function unreadKeys(
  layers: readonly Layer[],
  tracker: ReadTracker,
): readonly UnreadSetting[] {
  return layers.flatMap((layer) =>
    [...unknownPaths(layer.tree, [], tracker)].map((path) => {
      const at = path.length - 1;
      const meant = meantPath(path, at, tracker.keysAt(path.slice(0, at)));
      return unread(path, layer.at(path), path, meant && pathText(meant));
    }),
  );
}

function* unknownPaths(tree: Tree, path: Path, tracker: ReadTracker): Iterable<Path> {
  if (path.length > 0 && tracker.unreadPart(path) === path.length - 1) yield path;
  else if (typeof tree === 'object' && tree !== null) {
    for (const [key, value] of Object.entries(tree)) {
      yield* unknownPaths(value, [...path, Array.isArray(tree) ? Number(key) : key], tracker);
    }
  }
}

function unread(path: Path, source: string, unknown: Path, meant?: string): UnreadSetting {
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
  return { path, meant, text: `${source}: the schema has no setting ${pathText(unknown)}${hint}` };
}

function meantPath(path: Path, at: number, names: Iterable<string>): Path | undefined {
  const name = nearestName(String(path[at]), names);
  return name === undefined ? undefined : [...path.slice(0, at), name, ...path.slice(at + 1)];
}
