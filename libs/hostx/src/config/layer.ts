import type { Path } from './path.js';
import type { Tree } from './tree.js';

/** One source of settings. */
export interface Layer {
  readonly name: string;
  readonly tree: Tree;
  /** Where in the source a value is set that it has, for people: `config.yaml:3`. */
  at(path: Path): string;
}
