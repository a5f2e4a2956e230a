import type { Deadline } from '@apix/contracts';

/** Resolves when the deadline has passed. */
export function passingOf({ signal }: Deadline): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
