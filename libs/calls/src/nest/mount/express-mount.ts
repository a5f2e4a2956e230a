import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AbstractHttpAdapter } from '@nestjs/core';
import { afterEachMiddleware } from '../patches/after-each-middleware.js';
import { type ParserWork, isBodyParser, unlessTaken } from '../patches/guard-parsers.js';
import { type AppMount, type MountedHandler, isRoutedBy, writeNormalPaths } from './app-mount.js';

type ExpressRequest = IncomingMessage & { readonly path: string };

/** A middleware or a route in Express's list. */
interface ExpressLayer {
  handle: ParserWork;
}

/** Express's middleware and routes in their order; undefined if it is not Express. */
export function layersOf(adapter: AbstractHttpAdapter): ExpressLayer[] | undefined {
  if (adapter.getType() !== 'express') return undefined;
  const app = adapter.getInstance() as ExpressLike;
  // Express 4 has a getter `router` that throws.
  const { stack } = app._router ?? app.router ?? {};
  return Array.isArray(stack) ? stack : undefined;
}

interface ExpressLike {
  readonly _router?: { readonly stack?: ExpressLayer[] };
  readonly router?: { readonly stack?: ExpressLayer[] };
}

/** After the middleware of `main.ts` and of the modules, and before the routes. */
// Why: docs/decisions/0032
export class ExpressMount implements AppMount {
  #undo = (): void => {};

  constructor(
    private readonly adapter: AbstractHttpAdapter,
    private readonly layers: ExpressLayer[],
    private readonly handler: MountedHandler,
  ) {
    adapter.use(writeNormalPaths(handler));
    // Also before what an Express that the app made has already.
    layers.unshift(...layers.splice(-1));
  }

  beforeModules(): void {
    const { adapter, layers, handler } = this;
    for (const layer of layers) {
      if (isBodyParser(layer.handle)) {
        layer.handle = unlessTaken(layer.handle, (req) => handler.takes(req));
      }
    }
    adapter.use((req: ExpressRequest, res: ServerResponse, next: () => void) => {
      if (isRoutedBy(req.path, req)) handler.handle(req, res, next);
      else next();
    });
    const own = layers.at(-1);
    if (own === undefined) return;
    this.#undo = afterEachMiddleware(adapter, () => {
      layers.splice(layers.indexOf(own), 1);
      layers.push(own);
    });
  }

  afterRoutes(): void {
    this.#undo();
  }

  beforeListen(): void {}
}
