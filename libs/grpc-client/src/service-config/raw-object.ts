import { type Mistakes, shownValue } from '@apix/contracts';

/** The members of an object of JSON. */
export type JsonMembers = Readonly<Record<string, unknown>>;

/** The value, or an empty object with the mistake recorded if it is not an object. */
export function jsonMembersOf(where: string, given: unknown, mistakes: Mistakes): JsonMembers {
  if (typeof given === 'object' && given !== null && !Array.isArray(given))
    return given as JsonMembers;
  mistakes.add(where, `must be an object, not ${shownValue(given)}`);
  return {};
}

/** Records members that must not be set, and why. */
export function refuseOthers(
  where: string,
  given: JsonMembers,
  known: readonly string[],
  why: string,
  mistakes: Mistakes,
): void {
  for (const name of Object.keys(given)) {
    if (!known.includes(name)) mistakes.add(`${where}.${name}`, why);
  }
}
