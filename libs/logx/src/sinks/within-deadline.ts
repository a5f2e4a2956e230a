import { type Deadline, onAbort } from '@apix/contracts';

/** Resolves with the work, or when the deadline has passed; rejects only with the work. */
export async function withinDeadline(work: unknown, deadline?: Deadline): Promise<void> {
  if (deadline === undefined) {
    await work;
    return;
  }
  let forget = (): void => {};
  const passed = new Promise<void>((resolve) => {
    forget = onAbort(deadline.signal, () => resolve());
  });
  await Promise.race([work, passed]).finally(() => forget());
}
