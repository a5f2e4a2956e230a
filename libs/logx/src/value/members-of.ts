import { safely, unreadable } from './safely.js';

/**
 * The own enumerable members of an object but the undefined ones. It never throws: a getter that
 * does costs its member only.
 */
export function membersOf(value: object): Map<string, unknown> {
  const members = new Map<string, unknown>();
  const names = safely(
    () => Object.keys(value),
    () => [],
  );
  for (const name of names) {
    const member = safely(() => (value as Readonly<Record<string, unknown>>)[name], unreadable);
    if (member !== undefined) members.set(name, member);
  }
  return members;
}
