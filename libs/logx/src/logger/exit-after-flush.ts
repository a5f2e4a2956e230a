import { deadlineAfter } from '@apix/contracts';
import { withinDeadline } from '../sinks/within-deadline.js';
import type { Dispatcher } from './dispatcher.js';

/** How long sinks that cannot be flushed at once may take before the process exits. */
const FLUSH_MS = 5000;

/** Flushes all sinks, then exits with code 1: at once, or when the slow ones are done. */
export function exitAfterFlush(dispatcher: Dispatcher): void {
  const slow = dispatcher.flushSync();
  if (slow.length === 0) process.exit(1);
  const deadline = deadlineAfter(FLUSH_MS);
  const flushed = Promise.allSettled(slow.map(async (sink) => sink.flush?.(deadline)));
  void withinDeadline(flushed, deadline).then(() => process.exit(1));
}
