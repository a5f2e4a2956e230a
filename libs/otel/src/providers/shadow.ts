/** Gives one object a method of its own in place of that of its class; false where it takes none. */
export function shadow(
  target: object,
  key: PropertyKey,
  method: (...args: never[]) => unknown,
): boolean {
  return Reflect.defineProperty(target, key, {
    value: method,
    configurable: true,
    writable: true,
    enumerable: false,
  });
}
