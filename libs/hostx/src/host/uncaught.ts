import { thrownText } from '@apix/contracts';
import { wrapping } from '../errors.js';
import type { UncaughtPolicy } from './host-handle.js';

export interface UncaughtTargets {
  /** Records the error and stops in order. */
  fail(error: Error): void;
  report(error: Error): void;
}

/** Applies the policy to the process; the returned function takes it back. */
export function connectUncaught(policy: UncaughtPolicy, targets: UncaughtTargets): () => void {
  if (policy === 'ignore') return () => {};
  let lostOutput = false;
  const deal = (kind: string, error: unknown): void => {
    if (isOfOutput(error)) {
      // To log it writes again, which fails again before anything else has a turn.
      if (lostOutput) return;
      lostOutput = true;
    }
    const named = wrapping(`hostx: ${kind}: ${thrownText(error)}`, error);
    if (policy === 'stop') targets.fail(named);
    else targets.report(named);
  };
  const onException = (error: unknown): void => deal('uncaught exception', error);
  const onRejection = (reason: unknown): void => deal('unhandled rejection', reason);
  process.on('uncaughtException', onException);
  process.on('unhandledRejection', onRejection);
  return () => {
    process.off('uncaughtException', onException);
    process.off('unhandledRejection', onRejection);
  };
}

/** Whether it may come from a log writing to an output that is no longer read. */
function isOfOutput(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, syscall } = error as NodeJS.ErrnoException;
  return syscall === 'write' && (code === 'EPIPE' || code === 'EIO');
}
