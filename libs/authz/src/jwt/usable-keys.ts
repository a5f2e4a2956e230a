import { PUBLIC_KEY_ALGORITHMS } from './algorithms.js';
import { UnusableKey, keyAlgorithms } from './key-algorithms.js';

/** A key of a set that can verify tokens. */
interface SetKey {
  readonly id: unknown;
  readonly algorithms: readonly string[];
}

/** Why no token of an accepted algorithm can be verified with a key; undefined if one can be. */
export function keyMistake(key: unknown, accepted: readonly string[]): string | undefined {
  try {
    acceptedOf(key, accepted);
    return undefined;
  } catch (error) {
    if (!(error instanceof UnusableKey)) throw error;
    return error.message;
  }
}

/**
 * Why no token of an accepted algorithm can be verified with a JWKS document (RFC 7517); undefined if one can
 * be. Keys that are of no use here do no harm next to others: providers also publish keys for encryption.
 */
export function keySetMistake(document: unknown, accepted: readonly string[]): string | undefined {
  const keys = keysOf(document);
  if (keys === undefined) return 'is not a key set: an object with an array "keys" of objects';
  if (keys.length === 0) return 'has no keys';
  const inSets = accepted.filter((name) => PUBLIC_KEY_ALGORITHMS.includes(name));
  const reasons = keys.map((key) => keyMistake(key, inSets));
  const usable = keys
    .filter((_, index) => reasons[index] === undefined)
    .map((key) => ({ id: key.kid, algorithms: acceptedOf(key, inSets) }));
  if (usable.some((key) => isFound(key, usable))) return undefined;
  if (usable.length > 0) return 'has several keys for each algorithm: give each a "kid" of its own';
  return `has no key that verifies tokens: ${reasons
    .map((reason, index) => `keys[${index}] ${reason}`)
    .join('; ')}`;
}

function acceptedOf(key: unknown, accepted: readonly string[]): readonly string[] {
  const algorithms = keyAlgorithms(key);
  const both = algorithms.filter((name) => accepted.includes(name));
  if (both.length > 0) return both;
  throw new UnusableKey(`is for ${algorithms.join(', ')}; accepted are ${accepted.join(', ')}`);
}

function keysOf(document: unknown): readonly { readonly kid?: unknown }[] | undefined {
  const { keys } = (document ?? {}) as { readonly keys?: unknown };
  if (!Array.isArray(keys)) return undefined;
  return keys.every((key) => typeof key === 'object' && key !== null) ? keys : undefined;
}

/** Whether some token leads to this key alone: by its key id, or because it is the only one for its algorithm. */
function isFound(key: SetKey, keys: readonly SetKey[]): boolean {
  return key.algorithms.some((name) => {
    const rivals = keys.filter((other) => other !== key && other.algorithms.includes(name));
    const hasOwnId = typeof key.id === 'string' && rivals.every(({ id }) => id !== key.id);
    return rivals.length === 0 || hasOwnId;
  });
}
