import type { BeginRun } from './open-span.js';

/** The runs, by object with its own method. */
const shadowed = new WeakMap<object, Set<BeginRun | undefined>>();

/**
 * Whether an object has been given methods for these runs already: a builder may return itself from each of its
 * methods, and a method the same sequence each time.
 */
export function isFollowed(target: object, again: BeginRun | undefined): boolean {
  return shadowed.get(target)?.has(again) === true;
}

/** Gives one object its own method instead of that of its class; false if the object cannot be changed. */
export function shadow(
  target: object,
  key: PropertyKey,
  method: (...args: never[]) => unknown,
  again: BeginRun | undefined,
): boolean {
  const isTaken = Reflect.defineProperty(target, key, {
    value: method,
    configurable: true,
    writable: true,
    enumerable: false,
  });
  if (isTaken) shadowed.set(target, (shadowed.get(target) ?? new Set()).add(again));
  return isTaken;
}
