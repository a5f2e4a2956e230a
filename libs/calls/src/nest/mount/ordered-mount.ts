import { Server } from 'node:net';
import { shownValue } from '@apix/contracts';
import { readTarget } from '@apix/contracts/internal';
import type { AbstractHttpAdapter } from '@nestjs/core';
import { afterEachMiddleware } from '../patches/after-each-middleware.js';
import { guardParsers } from '../patches/guard-parsers.js';
import {
  type AppMount,
  type MountedHandler,
  type MountedWork,
  isRoutedBy,
  writeNormalPaths,
} from './app-mount.js';

/**
 * Between the middleware and the routes of an adapter of which only that is known what Nest demands of
 * all: both run in the order of their registration.
 */
// Why: docs/decisions/0032
export class OrderedMount implements AppMount {
  readonly #endGuard: () => void;
  #undo = (): void => {};
  #places = 0;

  /** Call it before the app has middleware, or its parsers read the handler's bodies. */
  constructor(
    private readonly adapter: AbstractHttpAdapter,
    private readonly handler: MountedHandler,
    private readonly refuse: (type: string) => Error,
  ) {
    this.#endGuard = guardParsers(adapter, (req) => handler.takes(req));
    adapter.use(writeNormalPaths(handler));
  }

  beforeModules(): void {
    if (!(this.adapter.getHttpServer() instanceof Server)) {
      const type = shownValue(this.adapter.getType());
      throw this.refuse(type);
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
    const handle: MountedWork = (req, res, next) => {
      const isOurs = place === this.#places && isRoutedBy(readTarget(req.url ?? '/').path, req);
      if (isOurs) this.handler.handle(req, res, next);
      else next?.();
    };
    this.adapter.use(handle);
  }
}
