import { PUBLIC_KEY_ALGORITHMS, UnusableKey, keyAlgorithms } from './key-algorithms.js';

/**
 * How many keys are tried for a token that could be signed with several, because it names none. Each one costs
 * a verification, and anyone can send tokens; providers publish two or three keys.
 */
export const MAX_TRIED_KEYS = 8;

/** A key of a set that can verify tokens. */
interface SetKey {
  readonly id: unknown;
  readonly algorithms: readonly string[];
}

/** Why no token of an accepted algorithm can be verified with a key; undefined if one can be. */
export function keyMistake(key: unknown, accepted: readonly string[]): string | undefined {
  const judged = judge(key, accepted);
  return judged instanceof UnusableKey ? judged.message : undefined;
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
  const judged = keys.map((key) => judge(key, inSets));
  const usable = judged.flatMap((algorithms, index) =>
    algorithms instanceof UnusableKey ? [] : [{ id: keys[index]!.kid, algorithms }],
  );
  if (usable.some((key) => isFound(key, usable))) return undefined;
  if (usable.length > 0) {
    return `has more than ${MAX_TRIED_KEYS} keys for each algorithm: give each a "kid" of its own`;
  }
  const reasons = judged.flatMap((unusable, index) =>
    unusable instanceof UnusableKey ? [`keys[${index}] ${unusable.message}`] : [],
  );
  return `has no key that verifies tokens: ${reasons.join('; ')}`;
}

/** The accepted algorithms of a key, or why there are none. */
function judge(key: unknown, accepted: readonly string[]): readonly string[] | UnusableKey {
  try {
    return acceptedOf(key, accepted);
  } catch (error) {
    if (error instanceof UnusableKey) return error;
    throw error;
  }
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

/** Whether some token leads to this key: by its key id, or because few enough keys are tried for its algorithm. */
function isFound(key: SetKey, keys: readonly SetKey[]): boolean {
  return key.algorithms.some((name) => {
    const rivals = keys.filter((other) => other !== key && other.algorithms.includes(name));
    const hasOwnId = typeof key.id === 'string' && rivals.every(({ id }) => id !== key.id);
    return rivals.length < MAX_TRIED_KEYS || hasOwnId;
  });
}
