type AddMiddleware = (...args: unknown[]) => unknown;
type CreateFactory = (...args: unknown[]) => AddMiddleware | Promise<AddMiddleware>;

interface Patchable {
  createMiddlewareFactory: CreateFactory;
}

const listeners = new WeakMap<object, Set<() => void>>();

/**
 * Calls `after` each time that Nest has added a middleware of a module to an HTTP adapter. Several may do so
 * with one adapter. The returned function undoes it.
 */
export function afterEachMiddleware(adapter: object, after: () => void): () => void {
  const called = listeners.get(adapter) ?? listen(adapter as Patchable);
  called.add(after);
  return () => {
    if (!called.delete(after) || called.size > 0) return;
    listeners.delete(adapter);
    Reflect.deleteProperty(adapter, 'createMiddlewareFactory');
  };
}

function listen(adapter: Patchable): Set<() => void> {
  const called = new Set<() => void>();
  listeners.set(adapter, called);
  const create = adapter.createMiddlewareFactory.bind(adapter);
  const heard =
    (add: AddMiddleware): AddMiddleware =>
    (...middleware) => {
      const result = add(...middleware);
      for (const after of called) after();
      return result;
    };
  adapter.createMiddlewareFactory = (...args) => {
    const add = create(...args);
    return add instanceof Promise ? add.then(heard) : heard(add);
  };
  return called;
}
