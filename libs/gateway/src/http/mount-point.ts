import { type Mistakes, shownValue } from '@apix/contracts';
import type { Binding } from '../rules/binding.js';
import { type RouteMatch, type RouteTable, spellingOf } from '../template/route-table.js';

/** The relation of a path to the gateway. */
export interface Found {
  /** Undefined: no rule has this path. */
  readonly match: RouteMatch<Binding> | undefined;
  /** Whether the path is below a mount path, so that only the gateway answers it. */
  readonly isOwn: boolean;
}

/** The prefix that an app puts before its routes, and the routes that it leaves out. */
export interface OuterPrefix {
  /** Without a trailing slash; '' if there is none. */
  readonly path: string;
  /**
   * Whether a rule stays outside of the prefix.
   *
   * @param method such as `GET`; `*` for all.
   * @param path mount path and template, whose wildcards are `*`.
   */
  excludes(method: string, path: string): boolean;
}

/** Where the paths of the rules begin. */
export class MountPoint {
  #outer = '';
  #excluded: ReadonlySet<Binding> = new Set();
  #excludes: OuterPrefix['excludes'] | undefined;

  /** @param path the mount path, without a slash at its end: '' for `/`. */
  constructor(private readonly path: string) {}

  /** @param mistakes gets a mistake if the mount path is not valid. */
  static read(mount: string, mistakes: Mistakes): MountPoint {
    if (typeof mount === 'string' && /^\/[^?#]*$/.test(mount)) {
      return new MountPoint(mount.replace(/\/+$/, ''));
    }
    mistakes.add('mount', `${shownValue(mount)} is not a path: it must start with "/"`);
    return new MountPoint('');
  }

  /** Puts bindings below a prefix, except those that it excludes. */
  moveBelow(outer: OuterPrefix, bindings: readonly Binding[]): void {
    this.#outer = outer.path;
    this.#excludes = (method, path) => outer.excludes(method, path);
    this.#excluded = new Set(
      bindings.filter((it) => outer.excludes(it.httpMethod, this.path + pathOf(it))),
    );
  }

  /** The prefix of the paths of rules; '' if there is none. */
  get prefix(): string {
    return this.#outer + this.path;
  }

  /** The prefix of the path of this rule. */
  prefixOf(binding: Binding): string {
    return this.#excluded.has(binding) ? this.path : this.prefix;
  }

  /** The prefix of the path of a method, `/<package.Service>/<Method>`. */
  prefixOfMethod(fullName: string): string {
    const isExcluded = this.#excludes?.('POST', this.path + fullName) ?? false;
    return isExcluded ? this.path : this.prefix;
  }

  /** Undefined: the path lies elsewhere. */
  find(table: RouteTable<Binding>, method: string, path: string): Found | undefined {
    if (this.#excluded.size > 0) {
      const inner = below(this.path, path);
      const match = inner === undefined ? undefined : table.match(method, inner);
      if (this.#isExcluded(match)) return { match, isOwn: false };
    }
    const inner = below(this.prefix, path);
    if (inner === undefined) return undefined;
    const match = table.match(method, inner);
    return { match: this.#isExcluded(match) ? undefined : match, isOwn: this.path !== '' };
  }

  #isExcluded(match: RouteMatch<Binding> | undefined): boolean {
    return match?.kind === 'route' && this.#excluded.has(match.route);
  }
}

/** A template as a path that the patterns of a router can be tried on. */
function pathOf({ template }: Binding): string {
  const { segments, verb } = spellingOf(template);
  return `/${segments.map((it) => it ?? '*').join('/')}${verb === undefined ? '' : `:${verb}`}`;
}

/** The path below a prefix; undefined outside of it. */
function below(prefix: string, path: string): string | undefined {
  if (prefix === '') return path.startsWith('/') ? path : undefined;
  if (path === prefix) return '/';
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : undefined;
}
