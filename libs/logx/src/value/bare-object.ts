class BareObject {}
Reflect.deleteProperty(BareObject.prototype, 'constructor');
Object.setPrototypeOf(BareObject.prototype, null);
Object.freeze(BareObject.prototype);

/**
 * An object that inherits no member, so that any name can be a member's, `__proto__` too. Unlike
 * one of `Object.create(null)` it has a prototype, an empty one.
 */
// Why: docs/decisions/0304
export function bareObject<T>(): Record<string, T> {
  return new BareObject() as Record<string, T>;
}
