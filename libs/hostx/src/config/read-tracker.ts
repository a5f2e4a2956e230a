import { type Tree, valueAt } from './tree.js';
import type { Path } from './path.js';

/**
 * Sees which settings a schema looks at, whatever library it is of: it is given a copy of the
 * tree that notes the keys it is asked for.
 */
export class ReadTracker {
  readonly #tree: Tree;
  readonly #keys = new Map<object, Set<string>>();
  readonly #proxies = new Map<object, object>();

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  /** The tree to pass to the schema. Do not use the result of that validation. */
  get watched(): Tree {
    return this.#watch(this.#tree);
  }

  /** The keys that were looked for in the object at a path; also empty if none were. */
  keysAt(path: Path): ReadonlySet<string> {
    const at = valueAt(this.#tree, path);
    return (typeof at === 'object' && at !== null && this.#keys.get(at)) || new Set();
  }

  /**
   * The index of the part of a path that was not looked for although other keys next to it were; -1 if
   * there is none. A value that was taken as a whole counts as looked for.
   */
  unreadPart(path: Path): number {
    return path.findIndex((part, at) => {
      const keys = this.keysAt(path.slice(0, at));
      return keys.size > 0 && !keys.has(String(part));
    });
  }

  #watch(tree: Tree): Tree {
    if (typeof tree !== 'object' || tree === null) return tree;
    const known = this.#proxies.get(tree);
    if (known !== undefined) return known;
    const note = (key: string | symbol): void => {
      if (typeof key !== 'string' || (!Object.hasOwn(tree, key) && key in tree)) return;
      let keys = this.#keys.get(tree);
      if (keys === undefined) this.#keys.set(tree, (keys = new Set()));
      keys.add(key);
    };
    const proxy = new Proxy(tree, {
      get: (target, key, receiver) => {
        note(key);
        return this.#watch(Reflect.get(target, key, receiver));
      },
      has: (target, key) => {
        note(key);
        return Reflect.has(target, key);
      },
    });
    this.#proxies.set(tree, proxy);
    return proxy;
  }
}
