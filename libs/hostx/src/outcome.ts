import { type Deadline } from '@apix/contracts';
import { workUnderWay, untilAborted } from '@apix/contracts/internal';

/** How a piece of foreign code ended. A promise of one never rejects. */
export type Outcome = { readonly ok: true } | { readonly ok: false; readonly error: unknown };

/** Runs foreign code now; its error or rejection becomes the outcome. */
export async function outcomeOf(work: () => unknown): Promise<Outcome> {
  try {
    await workUnderWay(work);
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

/** Whichever comes first: the work's outcome, or null because the deadline passed. */
export function byDeadline(work: Promise<Outcome>, deadline: Deadline): Promise<Outcome | null> {
  return Promise.race([work, lateFor(deadline.signal)]);
}

/**
 * One for all that wait for a signal: each listener is compared with all others when it is added,
 * and thousands of services wait for the same deadline.
 */
const late = new WeakMap<AbortSignal, Promise<null>>();

function lateFor(signal: AbortSignal): Promise<null> {
  if (signal.aborted) return turn().then(() => null);
  let known = late.get(signal);
  if (known === undefined) {
    // Work that needs only promises to finish is not late.
    known = untilAborted(signal)
      .then(turn)
      .then(() => null);
    late.set(signal, known);
  }
  return known;
}
