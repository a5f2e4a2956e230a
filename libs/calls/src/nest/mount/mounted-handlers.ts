import type { IncomingMessage, ServerResponse } from 'node:http';
import { normalisedPath, readTarget, targetOf } from '@apix/contracts/internal';

/** A handler mounted into an app, and the requests that belong to it. */
export interface MountedHandler {
  /** Serves a request that it takes, or looks at one and hands it on to `next`. */
  readonly handle: (
    req: IncomingMessage,
    res: ServerResponse,
    next?: (error?: unknown) => void,
  ) => void;
  /**
   * What it answers itself: a request of which that is true, by its method and target alone, or every request
   * with one of these paths, as it was written or in its normal form.
   */
  readonly takes: ReadonlySet<string> | ((req: IncomingMessage) => boolean);
  /** Whether it looks at a request and then hands it on. Default: none. */
  passes?(req: IncomingMessage): boolean;
}

/** A place in an app, between its middleware and its routes. */
export interface AppPlace {
  /**
   * Everything that `main.ts` registers exists by now, but no middleware or route of a module.
   *
   * @param refuse makes the error for an adapter whose server is not one of Node's, of the adapter's type.
   */
  beforeModules(refuse: (type: string) => Error): void;
  /** Middleware of modules and routes are there. */
  afterRoutes(): void;
  /** All modules have started; the app does not listen yet. */
  beforeListen(): void;
}

/** Middleware of an app. */
export type AppWork = (
  req: IncomingMessage,
  res: ServerResponse,
  next: (error?: unknown) => void,
) => unknown;

/** A request as it reaches middleware, whose `url`, `path` and `baseUrl` routers write. */
type AppRequest = IncomingMessage & { readonly path?: unknown; readonly baseUrl?: string };

/** All handlers that are mounted into one app, in the order in which they are asked. */
export class MountedHandlers {
  readonly all: MountedHandler[] = [];

  /** The one that answers a request. */
  takerOf(req: IncomingMessage): MountedHandler | undefined {
    return this.all.find((it) => isTaken(it, req));
  }

  /**
   * Middleware for the start of an app: the paths of taken requests are written in their normal form, so
   * that middleware for `v1/orders/7` runs for `/v1/orders/%37` too, whose variable is `7`.
   */
  readonly writeNormalPaths: AppWork = (req, _res, next) => {
    if (req.url?.includes('%') === true && this.takerOf(req) !== undefined) {
      const [path = ''] = req.url.split('?', 1);
      req.url = normalisedPath(path) + req.url.slice(path.length);
    }
    next();
  };

  /** Middleware for their place in an app: each serves what is its own, and hands on the rest. */
  readonly serve: AppWork = (req, res, next) => {
    if (isRoutedAsSent(req)) this.#serveFrom(0, req, res, next);
    else next();
  };

  /** A body parser that leaves the bodies of taken requests. */
  leftBy(parse: AppWork): AppWork {
    const guarded: AppWork = (req, res, next) =>
      this.takerOf(req) === undefined ? parse(req, res, next) : next();
    // By the name, Nest sees that there is a parser already.
    return Object.defineProperty(guarded, 'name', { value: parse.name });
  }

  #serveFrom(
    first: number,
    req: IncomingMessage,
    res: ServerResponse,
    next: (error?: unknown) => void,
  ): void {
    for (let at = first; at < this.all.length; at++) {
      const handler = this.all[at]!;
      if (!isTaken(handler, req) && handler.passes?.(req) !== true) continue;
      handler.handle(req, res, (error) => {
        if (error === undefined) this.#serveFrom(at + 1, req, res, next);
        else next(error);
      });
      return;
    }
    next();
  }
}

function isTaken(handler: MountedHandler, req: IncomingMessage): boolean {
  if (typeof handler.takes === 'function') return handler.takes(req);
  const { path, authority } = targetOf(req);
  // RFC 9110 §4.2.1: without a host it is invalid, and not every router reads it alike.
  return authority !== '' && (handler.takes.has(path) || handler.takes.has(normalisedPath(path)));
}

/**
 * Whether the app's router reads the path that a request was sent with. It may read another: Express does of
 * some targets, and middleware may have written one. The app's middleware was chosen by that one then. The path
 * that the router reads is below the one at which the app is mounted into another.
 */
function isRoutedAsSent(req: AppRequest): boolean {
  const path = typeof req.path === 'string' ? req.path : readTarget(req.url ?? '/').path;
  const { baseUrl = '' } = req;
  const sent = normalisedPath(targetOf(req).path);
  return (
    normalisedPath(baseUrl + path) === sent || (path === '/' && normalisedPath(baseUrl) === sent)
  );
}
