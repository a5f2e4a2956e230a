import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Mistakes, shownValue } from '@apix/contracts';
import { readTarget } from '@apix/contracts/internal';
import type { Binding } from '../rules/binding.js';
import { type RouteMatch, type RouteTable, spellingOf } from '../template/route-table.js';
import type { RpcRoute, RpcRoutes } from './protocols/rpc-routes.js';

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
  /** The prefix of the paths of rules; '' if there is none. */
  prefix: string;
  #excluded: ReadonlySet<Binding> = new Set();
  #excludes: OuterPrefix['excludes'] | undefined;

  /** @param path the mount path, without a slash at its end: '' for `/`. */
  constructor(private readonly path: string) {
    this.prefix = path;
  }

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
    this.prefix = outer.path + this.path;
    this.#excludes = (method, path) => outer.excludes(method, path);
    this.#excluded = new Set(
      bindings.filter((it) => outer.excludes(it.httpMethod, this.path + pathOf(it))),
    );
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

/** Answers GET and HEAD of a path that is not one of a rule. */
type OwnAnswer = (req: IncomingMessage, res: ServerResponse) => void;

/** What a request asks for. */
interface Asked {
  readonly routes: GatewayRoutes;
  readonly method: string;
  readonly target: string;
  readonly path: string;
  readonly query: string;
  /** Serves a path that is not one of a rule. */
  readonly own: OwnAnswer | undefined;
  readonly rpc: RpcRoute | undefined;
  readonly found: Found | undefined;
}

const ASKED = Symbol('apix.gateway.Asked');

/** `originalUrl` is Express's. */
type AskingRequest = IncomingMessage & { readonly originalUrl?: string; [ASKED]?: Asked };

/** All paths of a gateway. */
export class GatewayRoutes {
  /** Those that GET and HEAD have before all others, such as that of the document. */
  readonly own = new Map<string, OwnAnswer>();

  constructor(
    private readonly mountPoint: MountPoint,
    private readonly table: RouteTable<Binding>,
    private readonly rpcs: RpcRoutes,
  ) {}

  /** Found once for all who want to know it: the parsers of an app, its router, the gateway. */
  askedBy(req: AskingRequest): Asked {
    const { method = 'GET' } = req;
    const target = req.originalUrl ?? req.url ?? '/';
    const known = req[ASKED];
    // Middleware may have written another.
    if (known?.routes === this && known.method === method && known.target === target) return known;
    const { authority, path, query } = readTarget(target);
    const own = method === 'GET' || method === 'HEAD' ? this.own.get(path) : undefined;
    // RFC 9110 §4.2.1: without a host it is invalid, and not every router reads it alike.
    const isServed = authority !== '' && own === undefined;
    const rpc = isServed ? this.rpcs.find(path) : undefined;
    const isRule = isServed && rpc === undefined;
    const found = isRule ? this.mountPoint.find(this.table, method, path) : undefined;
    return (req[ASKED] = { routes: this, method, target, path, query, own, rpc, found });
  }

  /** Whether a rule or a method is served at a path, whatever the method of HTTP. */
  servesAt(path: string): boolean {
    if (this.rpcs.find(path) !== undefined) return true;
    return this.mountPoint.find(this.table, 'GET', path)?.match !== undefined;
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
