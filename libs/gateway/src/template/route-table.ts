import { decodeSegment } from './percent.js';
import type { PathTemplate } from './path-template.js';

/** The result for a path: a route, or only routes of other HTTP methods. */
export type RouteMatch<T> =
  | { readonly kind: 'route'; readonly route: T; readonly segments: readonly string[] }
  | { readonly kind: 'other-methods'; readonly allowed: readonly string[] };

/** HTTP method → route; `*` matches every method. */
type Methods<T> = Map<string, T>;

class RouteNode<T> {
  readonly literals = new Map<string, RouteNode<T>>();
  one: RouteNode<T> | undefined;
  rest: RouteNode<T> | undefined;
  /** By verb; '' if there is none. */
  readonly ends = new Map<string, Methods<T>>();
}

/**
 * Routes by path template and HTTP method. A path with several matches goes to the most specific:
 * a verb before none, then segment by segment from the left a literal before `*` before `**`,
 * then the named HTTP method before `*`. The order in which routes were added never matters.
 */
export class RouteTable<T> {
  private readonly root = new RouteNode<T>();

  /** Adds a route; returns the one that already has this very method and shape, if any. */
  add(method: string, template: PathTemplate, route: T): T | undefined {
    let node = this.root;
    for (const segment of template.segments) {
      if (segment.kind === 'one') node = node.one ??= new RouteNode();
      else if (segment.kind === 'rest') node = node.rest ??= new RouteNode();
      else node = getOrAdd(node.literals, segment.text, () => new RouteNode<T>());
    }
    const methods = getOrAdd(node.ends, template.verb ?? '', () => new Map<string, T>());
    const taken = methods.get(method);
    if (taken === undefined) methods.set(method, route);
    return taken;
  }

  /**
   * The most specific route for a raw path (still percent-encoded, without query). A HEAD
   * request is served by a GET route where no HEAD route is there.
   */
  match(method: string, path: string): RouteMatch<T> | undefined {
    const segments = path === '/' ? [] : path.slice(1).split('/');
    const search = new Search<T>(segments, method);
    const last = segments.at(-1);
    const colon = last === undefined ? -1 : last.lastIndexOf(':');
    if (last !== undefined && colon !== -1) {
      const stem = [...segments.slice(0, -1), last.slice(0, colon)];
      const withVerb = new Search<T>(stem, method, safeDecode(last.slice(colon + 1)));
      const route = withVerb.walk(this.root, 0);
      if (route !== undefined) return { kind: 'route', route, segments: stem };
      for (const other of withVerb.others) search.others.add(other);
    }
    const route = search.walk(this.root, 0);
    if (route !== undefined) return { kind: 'route', route, segments };
    if (search.others.size === 0) return undefined;
    return { kind: 'other-methods', allowed: [...search.others].toSorted() };
  }
}

class Search<T> {
  /** Methods of the routes that the path would match, had it another method. */
  readonly others = new Set<string>();

  constructor(
    private readonly segments: readonly string[],
    private readonly method: string,
    private readonly verb = '',
  ) {}

  /** Tries the branches from the most specific one on; each node is reached at most once. */
  walk(node: RouteNode<T>, depth: number): T | undefined {
    const segment = this.segments[depth];
    if (segment === undefined) return this.pick(node) ?? this.pick(node.rest);
    // Why: docs/decisions/0030
    const literal = node.literals.get(safeDecode(segment));
    return (
      (literal && this.walk(literal, depth + 1)) ??
      (node.one && segment !== '' ? this.walk(node.one, depth + 1) : undefined) ??
      this.pick(node.rest)
    );
  }

  private pick(node: RouteNode<T> | undefined): T | undefined {
    const methods = node?.ends.get(this.verb);
    if (methods === undefined) return undefined;
    const route =
      methods.get(this.method) ??
      (this.method === 'HEAD' ? methods.get('GET') : undefined) ??
      methods.get('*');
    if (route === undefined) {
      for (const method of methods.keys()) this.others.add(method);
      if (methods.has('GET')) this.others.add('HEAD');
    }
    return route;
  }
}

function getOrAdd<V>(map: Map<string, V>, key: string, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}

/** A malformed escape equals no literal; a variable that captures it refuses it later. */
function safeDecode(text: string): string {
  try {
    return decodeSegment(text);
  } catch {
    return text;
  }
}
