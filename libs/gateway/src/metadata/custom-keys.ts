import { shownValue } from '@apix/contracts';
import { isInternalKey, isMetadataKey } from './names.js';
import { canonicalKey, isReservedName } from './reserved.js';

/** Why a caller may not set a key; undefined where it may. */
export type KeyRule = (key: string) => 'reserved' | 'not taken' | undefined;

/**
 * Which keys callers may set by `Grpc-Metadata-<key>`.
 *
 * @param taken true: any key that is not reserved; false: none; or a list of keys.
 * @param forwarded lower-case names of the headers that are forwarded under their own name.
 * @throws RangeError for a listed key that is not one, or is reserved.
 */
export function keyRuleOf(
  taken: boolean | readonly string[],
  forwarded: Iterable<string>,
): KeyRule {
  const own = new Set([...forwarded].map(canonicalKey));
  const isReserved = (key: string): boolean => {
    const canonical = canonicalKey(key);
    return (
      isInternalKey(key) ||
      isInternalKey(canonical) ||
      isReservedName(canonical) ||
      own.has(canonical)
    );
  };
  if (typeof taken === 'boolean') {
    return (key) => (isReserved(key) ? 'reserved' : taken ? undefined : 'not taken');
  }
  // From JavaScript, or from a configuration file.
  if (!Array.isArray(taken) || taken.some((key) => typeof key !== 'string')) {
    throw new RangeError(
      `must be true, false or a list of metadata keys, not ${shownValue(taken)}`,
    );
  }
  const keys = taken.map((key) => key.toLowerCase());
  const mistakes = keys.flatMap((key) => {
    if (!isMetadataKey(key)) return [`${JSON.stringify(key)} is not a metadata key`];
    return isReserved(key) ? [`${JSON.stringify(key)} is reserved and callers cannot set it`] : [];
  });
  if (mistakes.length > 0) throw new RangeError(mistakes.join('; '));
  const listed = new Set(keys);
  return (key) => (isReserved(key) ? 'reserved' : listed.has(key) ? undefined : 'not taken');
}
