import type { Path } from './path.js';
import type { Tree } from './tree.js';

/** One source of settings. */
export interface Layer {
  readonly name: string;
  readonly tree: Tree;
  /** Whether it could not be read, so that its settings are not known. */
  readonly isLost?: boolean;
  /** Where in the source a value is set, for people: `config.yaml:3`. */
  at(path: Path): string;
}
