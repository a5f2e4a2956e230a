import { nearestName } from '@apix/contracts';
import { type Path, pathText, variableOf } from './path.js';
import type { ReadTracker } from './read-tracker.js';
import type { Setting } from './variables.js';

/** A variable that sets something which the schema does not know. */
export interface UnreadVariable {
  readonly setting: Setting;
  /** The variable that was probably meant, or undefined if none is similar. */
  readonly meant: string | undefined;
  /** For people, without the value. */
  readonly text: string;
}

/** Those of the settings that the schema has not looked at. */
export function unreadVariables(
  settings: readonly Setting[],
  tracker: ReadTracker,
  prefix: string,
): readonly UnreadVariable[] {
  return settings.flatMap((setting) => {
    const { path, variable } = setting;
    const at = tracker.unreadPart(path);
    if (at === -1) return [];
    const meant = meantPath(path, at, tracker.keysAt(path.slice(0, at)));
    const named = meant && variableOf(meant, prefix);
    const hint = named === undefined ? '' : `; did you mean ${named}?`;
    const text = `${variable}: the schema has no setting ${pathText(path.slice(0, at + 1))}${hint}`;
    return [{ setting, meant: named, text }];
  });
}

function meantPath(path: Path, at: number, keys: ReadonlySet<string>): Path | undefined {
  const isLast = at === path.length - 1;
  const names = isLast ? [...keys].flatMap((key) => [key, `${key}File`]) : keys;
  const name = nearestName(String(path[at]), names);
  return name === undefined ? undefined : [...path.slice(0, at), name, ...path.slice(at + 1)];
}
