import type { AbstractHttpAdapter, HttpAdapterHost } from '@nestjs/core';
import { ExpressMount, layersOf } from './express-mount.js';
import { FastifyMount } from './fastify-mount.js';
import { type AppPlace, type MountedHandler, MountedHandlers } from './mounted-handlers.js';
import { OrderedMount } from './ordered-mount.js';

/** What is mounted into the app of an adapter, and the next step that the place has to be led through. */
interface Mounted {
  readonly handlers: MountedHandlers;
  readonly place: AppPlace;
  next: 'modules' | 'routes' | 'listen' | 'none';
}

const mounted = new WeakMap<AbstractHttpAdapter, Mounted>();

/**
 * Mounts a handler into an app, after the app's middleware and before its routes. All handlers of an app share
 * one place there. Make it before there is anything else in the app.
 */
// Why: docs/decisions/0032, docs/decisions/0572
export class AppMount {
  #mounted: Mounted | undefined;

  constructor(adapterHost: HttpAdapterHost, handler: MountedHandler) {
    // At once with NestFactory.create; with a TestingModule, when it makes an application.
    adapterHost.init$.subscribe(() => {
      // None in an application context, and in a microservice.
      const adapter = adapterHost.httpAdapter as AbstractHttpAdapter | null;
      if (adapter === null) return;
      this.#mounted = mountedIn(adapter);
      this.#mounted.handlers.all.push(handler);
    });
  }

  /** Whether the app has an HTTP server. */
  get isMounted(): boolean {
    return this.#mounted !== undefined;
  }

  /** Call it in `configure` of a module: after the body parsers, before the middleware of modules. */
  beforeModules(refuse: (type: string) => Error): void {
    if (this.#mounted?.next !== 'modules') return;
    this.#mounted.place.beforeModules(refuse);
    this.#mounted.next = 'routes';
  }

  /** Call it when Nest initialises the modules. */
  afterRoutes(): void {
    if (this.#mounted?.next !== 'routes') return;
    this.#mounted.next = 'listen';
    this.#mounted.place.afterRoutes();
  }

  /** Call it when all modules have started. */
  beforeListen(): void {
    if (this.#mounted?.next !== 'listen') return;
    this.#mounted.next = 'none';
    this.#mounted.place.beforeListen();
  }
}

function mountedIn(adapter: AbstractHttpAdapter): Mounted {
  let found = mounted.get(adapter);
  if (found === undefined) {
    const handlers = new MountedHandlers();
    found = { handlers, place: placeIn(adapter, handlers), next: 'modules' };
    mounted.set(adapter, found);
  }
  return found;
}

function placeIn(adapter: AbstractHttpAdapter, handlers: MountedHandlers): AppPlace {
  if (adapter.getType() === 'fastify') return new FastifyMount(adapter, handlers);
  const layers = layersOf(adapter);
  if (layers !== undefined) return new ExpressMount(adapter, layers, handlers);
  return new OrderedMount(adapter, handlers);
}
