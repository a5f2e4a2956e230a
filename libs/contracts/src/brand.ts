/**
 * Marks are `Symbol.for` properties, so that two installed copies of a package still recognise each other's
 * objects, where `instanceof` would say no. An object that cannot be read, such as a revoked proxy, has no
 * mark.
 */
export function hasMark(value: unknown, mark: symbol): boolean {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return false;
  try {
    return (value as Readonly<Record<symbol, unknown>>)[mark] === true;
  } catch {
    return false;
  }
}

/** A decorator that gives every instance of a class the mark. */
export function markClass(mark: symbol): ClassDecorator {
  return ({ prototype }) => {
    Object.defineProperty(prototype, mark, { value: true });
  };
}
