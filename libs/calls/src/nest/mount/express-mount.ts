import type { AbstractHttpAdapter } from '@nestjs/core';
import { afterEachMiddleware, isBodyParser } from '../patches/adapter-middleware.js';
import type { AppPlace, AppWork, MountedHandlers } from './mounted-handlers.js';

/** A middleware or a route in Express's list. */
interface ExpressLayer {
  handle: AppWork;
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
export class ExpressMount implements AppPlace {
  #undo = (): void => {};

  constructor(
    private readonly adapter: AbstractHttpAdapter,
    private readonly layers: ExpressLayer[],
    private readonly handlers: MountedHandlers,
  ) {
    adapter.use(handlers.writeNormalPaths);
    // Also before what an Express that the app made has already.
    layers.unshift(...layers.splice(-1));
  }

  beforeModules(): void {
    const { adapter, layers, handlers } = this;
    for (const layer of layers) {
      if (isBodyParser(layer.handle)) layer.handle = handlers.leftBy(layer.handle);
    }
    adapter.use(handlers.serve);
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
