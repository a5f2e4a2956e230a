import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from '../http/gateway.js';

/** The handler mounted into an app, and the requests that belong to it. */
export interface MountedHandler {
  readonly handle: RequestHandler;
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
