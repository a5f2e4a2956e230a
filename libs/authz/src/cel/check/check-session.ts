import type { CelMistake, CelScope } from '../cel-scope.js';
import type { CelType } from '../cel-type.js';
import type { CelNode } from './cel-node.js';
import { TypeNames } from './type-names.js';

/** A variable of a macro. */
export interface Local {
  readonly name: string;
  readonly slot: number;
  readonly type: CelType;
  readonly outer: Local | undefined;
}

/** What an expression and the definitions that it uses have in common. */
export class CheckSession {
  readonly mistakes: CelMistake[] = [];
  readonly definitions = new Map<string, CelNode | 'being checked'>();
  readonly names: TypeNames;
  /** How many variables of macros there are so far. */
  slots = 0;

  constructor(readonly scope: CelScope) {
    this.names = new TypeNames(scope);
  }

  /** Adds a mistake, of a definition or of the expression itself. */
  add(mistake: CelMistake, definition: string | undefined): void {
    this.mistakes.push(definition === undefined ? mistake : { ...mistake, definition });
  }

  /** What could be meant by a name. */
  knownNames(locals: Local | undefined): readonly string[] {
    const known = [...this.scope.variables.keys(), ...(this.scope.definitions?.keys() ?? [])];
    for (let local = locals; local !== undefined; local = local.outer) known.push(local.name);
    return known;
  }
}

/** The variable of a macro with a name, or the one that the name begins with a field of: `a` of `a.b`. */
export function localOf(
  name: string,
  locals: Local | undefined,
): { readonly local: Local; readonly whole: boolean } | undefined {
  const root = name.split('.', 1)[0] ?? name;
  for (let local = locals; local !== undefined; local = local.outer) {
    if (local.name === root) return { local, whole: root === name };
  }
  return undefined;
}
