import { type Deadline, onAbort } from '@apix/contracts';

/** How a piece of foreign code ended. A promise of one never rejects. */
export type Outcome = { readonly ok: true } | { readonly ok: false; readonly error: unknown };

/** Runs foreign code now; what it throws or rejects with becomes the outcome. */
export async function outcomeOf(work: () => unknown): Promise<Outcome> {
  try {
    await work();
    return { ok: true };
  } catch (error) {
    return { ok: false, error };
  }
}

/**
 * Until whatever waits for nothing but promises has run: a tick comes after all microtasks, if
 * it is a microtask that asks for it. Asked for by a timer, it comes before them.
 */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    queueMicrotask(() => process.nextTick(resolve));
  });
}

/** What comes first: the work's outcome, or null because the deadline passed. */
export async function byDeadline(
  work: Promise<Outcome>,
  deadline: Deadline,
): Promise<Outcome | null> {
  const { signal } = deadline;
  let forget = (): void => {};
  const late = new Promise<null>((resolve) => {
    // Work that needs no more than promises to finish is not late.
    forget = onAbort(signal, () => void turn().then(() => resolve(null)));
  });
  const first = await Promise.race([work, late]);
  forget();
  return first;
}
