import { RequestMethod } from '@nestjs/common';

type RouteWork = (...args: unknown[]) => unknown;
type AddRoute = (...args: unknown[]) => unknown;

/** The methods of an adapter that add a route, such as `get` and `all`. */
const VERBS = Object.values(RequestMethod)
  .filter((name): name is string => typeof name === 'string')
  .map((name) => name.toLowerCase());

/** On requests, so that every installed copy of this package reads it. */
const PATH = Symbol.for('apix.calls.RoutePath');

interface Noted {
  [PATH]?: string;
}

/** The path of the route that a request has reached, on an adapter given to {@link noteRoutePaths}. */
export function notedPathOf(request: object): string | undefined {
  return (request as Noted)[PATH];
}

/**
 * Notes for requests the path of the route that they reach, on an adapter whose requests do not say it.
 * Replaces the methods by which Nest adds routes. Call it before there are any.
 */
export function noteRoutePaths(adapter: object): void {
  const adding = adapter as Record<string, AddRoute | undefined>;
  for (const verb of VERBS) {
    const add = adding[verb]?.bind(adapter);
    if (add === undefined) continue;
    adding[verb] = (path, ...handlers) =>
      add(path, ...handlers.map((it) => (typeof path === 'string' ? noting(path, it) : it)));
  }
}

/** A handler with everything that the adapter may read from it. */
function noting(path: string, given: unknown): unknown {
  if (typeof given !== 'function') return given;
  const handler = given as RouteWork;
  const noted: RouteWork = (...args) => {
    const [request] = args;
    if (typeof request === 'object' && request !== null) (request as Noted)[PATH] = path;
    return handler(...args);
  };
  for (const key of Reflect.getMetadataKeys(handler) as string[]) {
    Reflect.defineMetadata(key, Reflect.getMetadata(key, handler), noted);
  }
  return Object.defineProperty(Object.assign(noted, handler), 'name', { value: handler.name });
}
