import type { IncomingMessage, ServerResponse } from 'node:http';
import { normalisedPath, targetOf } from '@apix/contracts/internal';

/** Serves requests of node:http, and hands on those that are not its own. */
export type MountedWork = (
  req: IncomingMessage,
  res: ServerResponse,
  next?: (error?: unknown) => void,
) => void;

/** A handler mounted into an app, and the requests that belong to it. */
export interface MountedHandler {
  readonly handle: MountedWork;
  /** Whether it answers a request itself. Depends on method and target alone. */
  takes(req: IncomingMessage): boolean;
  /** Whether it looks at a request and then hands it on. */
  passes(req: IncomingMessage): boolean;
}

/** A place in an app, between its middleware and its routes. */
export interface AppMount {
  /** Everything that `main.ts` registers exists by now, but no middleware or route of a module. */
  beforeModules(): void;
  /** Middleware of modules and routes are there. */
  afterRoutes(): void;
  /** All modules have started; the app does not listen yet. */
  beforeListen(): void;
}

/** A request as it reaches middleware, whose `url` and `baseUrl` routers write. */
type AppRequest = IncomingMessage & { readonly baseUrl?: string };

/**
 * Middleware for the start of an app: the paths of taken requests are written in their normal form, so that
 * middleware for `v1/orders/7` runs for `/v1/orders/%37` too, whose variable is `7`.
 */
export function writeNormalPaths(
  handler: Pick<MountedHandler, 'takes'>,
): (req: IncomingMessage, res: ServerResponse, next: () => void) => void {
  return (req, _res, next) => {
    if (req.url?.includes('%') === true && handler.takes(req)) {
      const [path = ''] = req.url.split('?', 1);
      req.url = normalisedPath(path) + req.url.slice(path.length);
    }
    next();
  };
}

/**
 * Whether the app's router reads the path that a request was sent with. It may read another: Express does of
 * some targets, and middleware may have written one. The app's middleware was chosen by that one then.
 *
 * @param path that the router reads, below the path at which the app is mounted into another.
 */
export function isRoutedBy(path: string, req: AppRequest): boolean {
  const { baseUrl = '' } = req;
  const sent = normalisedPath(targetOf(req).path);
  return (
    normalisedPath(baseUrl + path) === sent || (path === '/' && normalisedPath(baseUrl) === sent)
  );
}
