import { membersOf } from '../value/members-of.js';
import { safely } from '../value/safely.js';

/** Fields that the app finds in what asks. */
export type FoundFields = Readonly<Record<string, unknown>>;

/** The option `fields` of a door: finds fields of what asks. */
export type FindFields<T> = ((subject: T) => FoundFields | undefined) | undefined;

/** What it finds; nothing where it throws, and where it returns no object. */
export function foundFields<T>(find: FindFields<T>, subject: T): FoundFields | undefined {
  if (find === undefined) return undefined;
  return safely<FoundFields | undefined, undefined>(
    () => {
      const found: unknown = find(subject);
      if (typeof found !== 'object' || found === null) return undefined;
      return Object.fromEntries(membersOf(found));
    },
    () => undefined,
  );
}
