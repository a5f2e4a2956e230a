import { deadlineAfter } from '@apix/contracts';

/** How long a process may take to answer, in milliseconds. */
const ANSWER_WITHIN_MS = 1_000;

/** The answer of a process; null if it has none in time, as one that hangs or has ended. */
export async function answerInTime(asked: Promise<unknown>): Promise<unknown> {
  const deadline = deadlineAfter(ANSWER_WITHIN_MS);
  const late = new Promise<null>((resolve) => {
    deadline.signal.addEventListener('abort', () => resolve(null), { once: true });
  });
  try {
    return await Promise.race([asked.catch(() => null), late]);
  } finally {
    deadline.dispose();
  }
}
