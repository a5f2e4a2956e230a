import { type TemplateSpelling, decodeSegment, isSpelt, spellingOf } from './spelling.js';
import type { PathTemplate } from './path-template.js';

/** The result for a path: a route, or only routes of other HTTP methods. */
export type RouteMatch<T> =
  | { readonly kind: 'route'; readonly route: T; readonly segments: readonly string[] }
  | { readonly kind: 'other-methods'; readonly allowed: readonly string[] };

interface SpeltRoute<T> {
  readonly route: T;
  readonly spelling: TemplateSpelling;
}

/** HTTP method → route; `*` matches every method. */
type Methods<T> = Map<string, SpeltRoute<T>>;

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
 * then the named HTTP method before `*`. The order in which routes were added never matters. A path that
 * would match but spells a literal otherwise than its template matches nothing.
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
    const methods: Methods<T> = getOrAdd(node.ends, template.verb ?? '', () => new Map());
    const taken = methods.get(method);
    if (taken === undefined) methods.set(method, { route, spelling: spellingOf(template) });
    return taken?.route;
  }

  /**
   * The most specific route for a raw path (still percent-encoded, without query). A HEAD
   * request is served by a GET route where no HEAD route is there.
   */
  match(method: string, path: string): RouteMatch<T> | undefined {
    const segments = path === '/' ? [] : path.slice(1).split('/');
    const others = new Set<string>();
    for (const search of searches<T>(segments, method, others)) {
      const entry = search.walk(this.root, 0);
      if (entry !== undefined) return search.matchOf(entry);
    }
    if (others.size === 0) return undefined;
    return { kind: 'other-methods', allowed: [...others].toSorted() };
  }
}

/** With the verb that the path ends in, if it does; then without one. A colon at the end is not one. */
function* searches<T>(
  segments: readonly string[],
  method: string,
  others: Set<string>,
): Generator<Search<T>> {
  const last = segments.at(-1) ?? '';
  const colon = last.lastIndexOf(':');
  if (colon !== -1 && colon < last.length - 1) {
    const stem = [...segments.slice(0, -1), last.slice(0, colon)];
    yield new Search<T>(stem, method, others, last.slice(colon + 1));
  }
  yield new Search<T>(segments, method, others);
}

class Search<T> {
  /** Decoded; '' if there is none. */
  private readonly verbText: string;

  constructor(
    private readonly segments: readonly string[],
    private readonly method: string,
    /** Gets the methods of the routes that the path would match, had it another method. */
    private readonly others: Set<string>,
    private readonly verb?: string,
  ) {
    this.verbText = verb === undefined ? '' : safeDecode(verb);
  }

  /** Tries the branches from the most specific one on; each node is reached at most once. */
  walk(node: RouteNode<T>, depth: number): SpeltRoute<T> | undefined {
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

  /** What was found, unless the path spells it otherwise: a less specific route must not get it then. */
  matchOf({ route, spelling }: SpeltRoute<T>): RouteMatch<T> | undefined {
    const { segments, verb } = this;
    return isSpelt(spelling, segments, verb) ? { kind: 'route', route, segments } : undefined;
  }

  private pick(node: RouteNode<T> | undefined): SpeltRoute<T> | undefined {
    const methods = node?.ends.get(this.verbText);
    if (methods === undefined) return undefined;
    const found =
      methods.get(this.method) ??
      (this.method === 'HEAD' ? methods.get('GET') : undefined) ??
      methods.get('*');
    if (found !== undefined) return found;
    for (const [method, { spelling }] of methods) {
      if (!isSpelt(spelling, this.segments, this.verb)) continue;
      this.others.add(method);
      if (method === 'GET') this.others.add('HEAD');
    }
    return undefined;
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
