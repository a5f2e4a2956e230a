import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from '../http/gateway.js';

/** What is mounted into an app, and which requests are its own. */
export interface MountedHandler {
  readonly handle: RequestHandler;
  /** Whether it answers a request itself. Depends on method and target alone. */
  takes(req: IncomingMessage): boolean;
  /** Whether it looks at a request and then hands it on. */
  passes(req: IncomingMessage): boolean;
}

/** A place in an app, between its middleware and its routes. */
export interface AppMount {
  /** All that `main.ts` registers is there, and no middleware of a module, nor a route. */
  beforeModules(): void;
  /** Middleware of modules and routes are there. */
  afterRoutes(): void;
  /** All modules have started; the app does not listen yet. */
  beforeListen(): void;
}
