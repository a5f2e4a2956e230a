import { Server } from 'node:net';
import { shownValue } from '@apix/contracts';
import type { AbstractHttpAdapter } from '@nestjs/core';
import { afterEachMiddleware, aroundParsers } from '../patches/adapter-middleware.js';
import type { AppPlace, AppWork, MountedHandlers } from './mounted-handlers.js';

/**
 * Between the middleware and the routes of an adapter of which only that is known what Nest demands of
 * all: both run in the order of their registration.
 */
// Why: docs/decisions/0032
export class OrderedMount implements AppPlace {
  readonly #endGuard: () => void;
  #undo = (): void => {};
  #places = 0;

  /** Call it before the app has middleware, or its parsers read the handlers' bodies. */
  constructor(
    private readonly adapter: AbstractHttpAdapter,
    private readonly handlers: MountedHandlers,
  ) {
    this.#endGuard = aroundParsers(adapter, (parse) => handlers.leftBy(parse));
    adapter.use(handlers.writeNormalPaths);
  }

  beforeModules(refuse: (type: string) => Error): void {
    if (!(this.adapter.getHttpServer() instanceof Server)) {
      throw refuse(shownValue(this.adapter.getType()));
    }
    this.#takePlace();
    this.#undo = afterEachMiddleware(this.adapter, () => this.#takePlace());
  }

  afterRoutes(): void {
    this.#undo();
    this.#endGuard();
  }

  beforeListen(): void {}

  /** Nothing can be moved: each place is given up for a later one. */
  #takePlace(): void {
    this.#places += 1;
    const place = this.#places;
    const serve: AppWork = (req, res, next) => {
      if (place === this.#places) this.handlers.serve(req, res, next);
      else next();
    };
    this.adapter.use(serve);
  }
}
