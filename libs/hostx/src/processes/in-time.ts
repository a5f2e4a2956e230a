import { pause } from '@apix/contracts';

/** How long a process may take to answer, in milliseconds. */
const ANSWER_WITHIN_MS = 1_000;

/** What a process does, if it has done so within `ms` milliseconds; else null. */
export async function inTime<T>(work: Promise<T>, ms: number): Promise<T | null> {
  const over = new AbortController();
  try {
    return await Promise.race([work, pause(ms, over.signal).then(() => null)]);
  } finally {
    over.abort();
  }
}

/** The answer of a process; null if it has none in time, as one that hangs or has ended. */
export function answerInTime(asked: Promise<unknown>): Promise<unknown> {
  return inTime(
    asked.catch(() => null),
    ANSWER_WITHIN_MS,
  );
}
