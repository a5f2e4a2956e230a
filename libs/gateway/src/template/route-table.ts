import { normalisedPath } from '@apix/contracts/internal';
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
    const searches = [new Search<T>(segments, method, others)];
    // With the verb that the path ends in, if it does, before none. A colon at the end is not one.
    const last = segments.at(-1) ?? '';
    const colon = last.lastIndexOf(':');
    if (colon !== -1 && colon < last.length - 1) {
      const stem = [...segments.slice(0, -1), last.slice(0, colon)];
      searches.unshift(new Search<T>(stem, method, others, last.slice(colon + 1)));
    }
    for (const search of searches) {
      const entry = search.walk(this.root, 0);
      if (entry !== undefined) return search.matchOf(entry);
    }
    if (others.size === 0) return undefined;
    return { kind: 'other-methods', allowed: [...others].toSorted() };
  }
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

const VARIABLE = /\{[^=}]*=?([^}]*)\}/g;

/** How requests have to spell the literals of a template. */
interface TemplateSpelling {
  /** Of each segment; undefined for a wildcard. */
  readonly segments: readonly (string | undefined)[];
  readonly verb: string | undefined;
}

/**
 * The one spelling of a template's literals: as the template has them, with escapes in capitals and none
 * of a character that needs none (RFC 3986 §6.2.2). Routers of apps match it, and match others or not.
 */
// Why: docs/decisions/0030
export function spellingOf({ source, segments, verb }: PathTemplate): TemplateSpelling {
  const plain = source.replaceAll(VARIABLE, (_variable, inside: string) => inside || '*');
  const end = verb === undefined ? plain.length : plain.lastIndexOf(':');
  const parts = plain.slice(1, end).split('/');
  return {
    segments: segments.map(({ kind }, at) =>
      kind === 'literal' ? normalisedPath(parts[at] ?? '') : undefined,
    ),
    verb: verb === undefined ? undefined : normalisedPath(plain.slice(end + 1)),
  };
}

/** Whether a path that matches the template spells its literals so; both raw. */
function isSpelt(
  spelling: TemplateSpelling,
  segments: readonly string[],
  verb: string | undefined,
): boolean {
  if (spelling.verb !== verb) return false;
  for (let at = 0; at < spelling.segments.length; at++) {
    const text = spelling.segments[at];
    if (text !== undefined && text !== segments[at]) return false;
  }
  return true;
}

/**
 * Reverses the percent-encoding of a variable that matches exactly one segment: everything is decoded
 * (google/api/http.proto, "Path template syntax").
 *
 * @throws URIError for a malformed escape or one that is not UTF-8.
 */
export function decodeSegment(text: string): string {
  return text.includes('%') ? decodeURIComponent(text) : text;
}
