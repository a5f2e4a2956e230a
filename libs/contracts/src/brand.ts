/**
 * Marks are `Symbol.for` properties, so that two installed copies of a package still recognise
 * each other's objects, where `instanceof` would say no.
 */
export function hasMark(value: unknown, mark: symbol): boolean {
  return (
    value !== null &&
    (typeof value === 'object' || typeof value === 'function') &&
    (value as Readonly<Record<symbol, unknown>>)[mark] === true
  );
}
