import { type Mistakes, shownValue } from '@apix/contracts';
import type { Binding } from '../rules/binding.js';
import type { RouteMatch, RouteTable } from '../template/route-table.js';

/** What a path is to the gateway. */
export interface Found {
  /** Undefined: no rule has this path. */
  readonly match: RouteMatch<Binding> | undefined;
  /** Whether the path is below a mount path, so that nobody else answers for it. */
  readonly isOwn: boolean;
}

/** The prefix that an app puts before all of its routes, and the routes that it leaves out. */
export interface OuterPrefix {
  /** Without a slash at its end; '' for none. */
  readonly path: string;
  excludes(binding: Binding): boolean;
}

const NO_PREFIX: OuterPrefix = { path: '', excludes: () => false };

/** Where the paths of the rules begin. */
export class MountPoint {
  #outer = NO_PREFIX;

  /** @param path the mount path, without a slash at its end: '' for `/`. */
  constructor(private readonly path: string) {}

  /** @param mistakes is told when the mount path is none. */
  static read(mount: string, mistakes: Mistakes): MountPoint {
    if (typeof mount === 'string' && /^\/[^?#]*$/.test(mount)) {
      return new MountPoint(mount.replace(/\/+$/, ''));
    }
    mistakes.add('mount', `${shownValue(mount)} is not a path: it must start with "/"`);
    return new MountPoint('');
  }

  /** Puts everything below a prefix, except the bindings that it excludes. */
  moveBelow(outer: OuterPrefix): void {
    this.#outer = outer;
  }

  /** What stands before the paths of rules; '' for nothing. */
  get prefix(): string {
    return this.#outer.path + this.path;
  }

  /** What stands before the path of this rule. */
  prefixOf(binding: Binding): string {
    return this.#outer.excludes(binding) ? this.path : this.prefix;
  }

  /** Undefined: the path lies elsewhere. */
  find(table: RouteTable<Binding>, method: string, path: string): Found | undefined {
    const outer = this.#outer;
    if (outer.path !== '') {
      const left = this.#match(table, method, this.path, path);
      if (left?.kind === 'route' && outer.excludes(left.route))
        return { match: left, isOwn: false };
    }
    const inner = below(this.prefix, path);
    if (inner === undefined) return undefined;
    const match = table.match(method, inner);
    const isExcluded = match?.kind === 'route' && outer.excludes(match.route);
    return { match: isExcluded ? undefined : match, isOwn: this.path !== '' };
  }

  #match(table: RouteTable<Binding>, method: string, prefix: string, path: string) {
    const inner = below(prefix, path);
    return inner === undefined ? undefined : table.match(method, inner);
  }
}

/** The path below a prefix; undefined outside of it. */
function below(prefix: string, path: string): string | undefined {
  if (prefix === '') return path.startsWith('/') ? path : undefined;
  if (path === prefix) return '/';
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : undefined;
}
