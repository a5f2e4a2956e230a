import { replaceOn } from '@apix/contracts/internal';

type AddMiddleware = (...args: unknown[]) => unknown;
type CreateFactory = (...args: unknown[]) => AddMiddleware | Promise<AddMiddleware>;

interface Patchable {
  createMiddlewareFactory: CreateFactory;
}

interface Listening {
  readonly called: Set<() => void>;
  readonly undo: () => void;
}

const listeners = new WeakMap<object, Listening>();

/**
 * Calls `after` each time that Nest has added a middleware of a module to an HTTP adapter. Several may do so
 * with one adapter. The returned function undoes it.
 */
export function afterEachMiddleware(adapter: object, after: () => void): () => void {
  const { called, undo } = listeners.get(adapter) ?? listen(adapter as Patchable);
  called.add(after);
  return () => {
    if (!called.delete(after) || called.size > 0) return;
    listeners.delete(adapter);
    undo();
  };
}

function listen(adapter: Patchable): Listening {
  const called = new Set<() => void>();
  const heard =
    (add: AddMiddleware): AddMiddleware =>
    (...middleware) => {
      const result = add(...middleware);
      for (const after of called) after();
      return result;
    };
  const undo = replaceOn(adapter, 'createMiddlewareFactory', (create) => (...args) => {
    const add = create.apply(adapter, args);
    return add instanceof Promise ? add.then(heard) : heard(add);
  });
  const listening = { called, undo };
  listeners.set(adapter, listening);
  return listening;
}
