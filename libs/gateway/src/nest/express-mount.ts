import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AbstractHttpAdapter } from '@nestjs/core';
import type { Next } from '../http/gateway.js';
import { afterEachMiddleware } from '../patches/after-each-middleware.js';
import type { AppMount, MountedHandler } from './mounted-handler.js';

type ExpressHandler = (req: IncomingMessage, res: ServerResponse, next: Next) => unknown;

/** A middleware or a route in Express's list. */
interface ExpressLayer {
  handle: ExpressHandler;
}

/** The names that body-parser gives to its middleware; Nest knows them by these names too. */
const BODY_PARSERS = new Set(['jsonParser', 'urlencodedParser', 'rawParser', 'textParser']);

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
// Why: docs/decisions/0224
export class ExpressMount implements AppMount {
  #undo = (): void => {};

  constructor(
    private readonly adapter: AbstractHttpAdapter,
    private readonly layers: ExpressLayer[],
    private readonly handler: MountedHandler,
  ) {}

  beforeModules(): void {
    const { adapter, layers, handler } = this;
    for (const layer of layers) {
      if (BODY_PARSERS.has(layer.handle.name)) layer.handle = unlessTaken(layer.handle, handler);
    }
    adapter.use(handler.handle);
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

/** A parser that leaves the bodies of the requests that the handler takes. */
function unlessTaken(parse: ExpressHandler, handler: MountedHandler): ExpressHandler {
  const guarded: ExpressHandler = (req, res, next) =>
    handler.takes(req) ? next() : parse(req, res, next);
  // By the name, Nest sees that there is a parser already.
  return Object.defineProperty(guarded, 'name', { value: parse.name });
}
