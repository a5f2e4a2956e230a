class BareObject {}
Reflect.deleteProperty(BareObject.prototype, 'constructor');
Object.setPrototypeOf(BareObject.prototype, null);
Object.freeze(BareObject.prototype);

/**
 * Creates an object that inherits no members, so that any name, even `__proto__`, can be a member. Unlike
 * `Object.create(null)`, it has a prototype, which is empty.
 */
// Why: docs/decisions/0304
export function bareObject<T>(): Record<string, T> {
  return new BareObject() as Record<string, T>;
}
