import { INFRASTRUCTURE_ENDPOINT, hasMark } from '@apix/contracts';
import { RouterExecutionContext } from '@nestjs/core/router/router-execution-context.js';

type Create = RouterExecutionContext['create'];
type Serve = ReturnType<Create>;

/** Kept on the method, so that every installed copy of this package shares one patch. */
const PATCH = Symbol.for('apix.calls.RouteHandlers');

/** A handler of HTTP, as it is known when Nest makes its route. */
export interface RouteHandler {
  readonly controller: object;
  readonly method: object;
  /** `Class.method`. */
  readonly name: string;
  /** Serves the operator: health, metrics, docs. */
  readonly isInfrastructure: boolean;
}

/**
 * Called each time the handler is reached, before its guards, with the request as the framework has it. It must
 * not throw.
 */
export type HandlerReached = (request: object) => void;

/** Called for each route when it is made, for a handler whose controller lives as long as a request each time. */
export type RouteObserver = (handler: RouteHandler) => HandlerReached;

interface Patch {
  readonly original: Create;
  /** With the number of those who want it. */
  readonly observers: Map<RouteObserver, number>;
}

interface Patched {
  create: Create & { readonly [PATCH]?: Patch };
}

/**
 * Registers an observer of every HTTP handler, in all apps of the process, whose route is created from now
 * on. An observer that is added twice is called once.
 *
 * Nest has no hook for that, and a global guard, which would learn the same, costs each request more than
 * the observers do; so this wraps the method that creates a route's function from its handler.
 *
 * @returns a function that removes it; the last one restores the method. Existing routes stay observed.
 */
// Why: docs/decisions/0310
export function observeRoutes(observer: RouteObserver): () => void {
  const prototype: Patched = RouterExecutionContext.prototype;
  const patch = prototype.create[PATCH] ?? wrap(prototype);
  const { observers } = patch;
  observers.set(observer, (observers.get(observer) ?? 0) + 1);
  let isObserving = true;
  return () => {
    if (!isObserving) return;
    isObserving = false;
    const others = observers.get(observer)! - 1;
    if (others > 0) observers.set(observer, others);
    else observers.delete(observer);
    // If other code has wrapped the wrapper meanwhile, it must stay.
    if (observers.size === 0 && prototype.create[PATCH] === patch)
      prototype.create = patch.original;
  };
}

function wrap(prototype: Patched): Patch {
  const { create: original } = prototype;
  const observers = new Map<RouteObserver, number>();
  const observed: Create = function (this: RouterExecutionContext, ...args) {
    const serve = original.apply(this, args);
    if (observers.size === 0) return serve;
    const handler = handlerOf(args[0], args[1]);
    return observedServe(
      serve,
      [...observers.keys()].map((observer) => observer(handler)),
    );
  };
  const patch: Patch = { original, observers };
  prototype.create = Object.assign(observed, { [PATCH]: patch });
  return patch;
}

function observedServe(serve: Serve, reached: readonly HandlerReached[]): Serve {
  return (req, res, next) => {
    if (typeof req === 'object' && req !== null) for (const each of reached) each(req);
    return serve(req, res, next);
  };
}

function handlerOf(
  { constructor: controller }: object,
  method: Parameters<Create>[1],
): RouteHandler {
  return {
    controller,
    method,
    name: method.name === '' ? controller.name : `${controller.name}.${method.name}`,
    isInfrastructure:
      hasMark(controller, INFRASTRUCTURE_ENDPOINT) || hasMark(method, INFRASTRUCTURE_ENDPOINT),
  };
}
