/** The longest pause between two attempts, in milliseconds. */
const MAX_DELAY_MS = 10_000;

/**
 * The pause before the nth repetition, n from 1, in milliseconds: doubled each time up to 10 s,
 * minus a random part of up to half of it, so that many instances do not retry at the same time.
 */
export function retryDelay(repetition: number, firstMs: number, random = Math.random): number {
  const full = Math.min(firstMs * 2 ** (repetition - 1), MAX_DELAY_MS);
  return full * (1 - random() / 2);
}
