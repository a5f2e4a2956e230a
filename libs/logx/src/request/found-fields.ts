import { membersOf } from '../value/members-of.js';
import { safely } from '../value/safely.js';

/** Fields that the app finds in what asks. */
export type FoundFields = Readonly<Record<string, unknown>>;

/** The option `fields` of an entry point: finds the fields of a request. */
export type FindFields<T> = ((subject: T) => FoundFields | undefined) | undefined;

/** The same so that it finds nothing if it throws or does not return an object. */
export function safeFinder<T>(find: FindFields<T>): FindFields<T> {
  if (find === undefined) return undefined;
  return (subject) =>
    safely<FoundFields | undefined, undefined>(
      () => {
        const found: unknown = find(subject);
        if (typeof found !== 'object' || found === null) return undefined;
        return Object.fromEntries(membersOf(found));
      },
      () => undefined,
    );
}
