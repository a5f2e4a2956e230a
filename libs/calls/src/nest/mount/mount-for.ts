import type { AbstractHttpAdapter } from '@nestjs/core';
import type { AppMount, MountedHandler } from './app-mount.js';
import { ExpressMount, layersOf } from './express-mount.js';
import { FastifyMount } from './fastify-mount.js';
import { OrderedMount } from './ordered-mount.js';

/**
 * A place for a handler in the app of an adapter, after the app's middleware and before its routes. Call it before
 * there is anything else in the app.
 *
 * @param refuse makes the error for an adapter whose server is not one of Node's, of the adapter's type.
 */
// Why: docs/decisions/0032
export function mountFor(
  adapter: AbstractHttpAdapter,
  handler: MountedHandler,
  refuse: (type: string) => Error,
): AppMount {
  if (adapter.getType() === 'fastify') return new FastifyMount(adapter, handler);
  const layers = layersOf(adapter);
  if (layers !== undefined) return new ExpressMount(adapter, layers, handler);
  return new OrderedMount(adapter, handler, refuse);
}
