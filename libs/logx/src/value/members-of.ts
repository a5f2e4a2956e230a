import { redactMessage } from '@apix/contracts';
import { unreadable } from './safely.js';

/**
 * The own enumerable members of an object, except undefined ones. It never throws: the value of a member
 * whose getter throws is a text that says so.
 */
export function membersOf(value: object): Map<string, unknown> {
  const members = new Map<string, unknown>();
  const shown = shownFields(value);
  for (const name of namesOf(shown)) {
    const member = memberOf(shown, name);
    if (member !== undefined) members.set(name, member);
  }
  return members;
}

/** An object whose members become fields: a message without what must not be shown. Never throws. */
export function shownFields<T extends object>(value: T): T {
  try {
    return redactMessage(value) as T;
  } catch {
    return {} as T;
  }
}

/** The names of the own enumerable members; empty if they cannot be read. */
export function namesOf(value: object): string[] {
  try {
    return Object.keys(value);
  } catch {
    return [];
  }
}

/** A member, or a text that says why it cannot be read. */
export function memberOf(value: object, name: string): unknown {
  try {
    return (value as Readonly<Record<string, unknown>>)[name];
  } catch (thrown) {
    return unreadable(thrown);
  }
}

/** The members of an object, whose names these are. If a getter throws, the others are called again. */
export function valuesOfNames(names: readonly string[], value: object): unknown[] {
  try {
    const members: unknown[] = Object.values(value);
    if (members.length === names.length) return members;
  } catch {
    // Each is read on its own below.
  }
  return names.map((name) => memberOf(value, name));
}
