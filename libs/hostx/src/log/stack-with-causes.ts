import { thrownError } from '@apix/contracts/internal';

/** Causes of causes beyond these are left out. */
const MAX_CAUSES = 10;

/**
 * The stack of an error and those of its causes, for a logger that takes a text. Undefined for a value that
 * is not a readable error. Never throws.
 */
export function stackWithCauses(error: unknown): string | undefined {
  const chain: unknown[] = [];
  for (let at = error; isCause(at, chain); at = causeOf(at)) chain.push(at);
  const [stack, ...causes] = chain.map(ownStack);
  return stack === undefined || thrownError(error) !== error
    ? undefined
    : [stack, ...causes].join('\nCaused by: ');
}

function isCause(at: unknown, chain: readonly unknown[]): boolean {
  return at !== undefined && at !== null && chain.length <= MAX_CAUSES && !chain.includes(at);
}

function ownStack(error: unknown): string {
  const read = thrownError(error);
  return (read === error ? read.stack : undefined) ?? read.message;
}

function causeOf(error: unknown): unknown {
  try {
    return (error as { readonly cause?: unknown }).cause;
  } catch {
    return undefined;
  }
}
