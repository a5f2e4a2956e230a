import { membersOf } from '../value/members-of.js';
import { safely } from '../value/safely.js';

/** Fields that the app finds in what asks. */
export type FoundFields = Readonly<Record<string, unknown>>;

/** The option `fields` of an entry point: finds the fields of a request. */
export type FindFields<T> = ((subject: T) => FoundFields | undefined) | undefined;

/** The fields that it finds; none if it throws or does not return an object. */
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
