import type { EventEmitter } from 'node:events';
import { MAX_TIMER_MS } from '@apix/contracts';
import { type CallOptions, propagate } from '@grpc/grpc-js';

/** When a call must have ended, in milliseconds since the epoch; Infinity for never. */
export function callDeadline(options: CallOptions, now: number): number {
  const { deadline, parent, propagate_flags: flags = propagate.DEFAULTS } = options;
  const own = deadline === undefined ? Infinity : Number(deadline);
  const inherits = parent !== undefined && (flags & propagate.DEADLINE) !== 0;
  const earliest = inherits ? Math.min(own, Number(parent.getDeadline())) : own;
  return earliest === Infinity ? Infinity : Math.min(earliest, now + MAX_TIMER_MS);
}

/** Runs `cancel` when the call that this one is part of is cancelled, if that was asked for. */
export function followParent(options: CallOptions, cancel: () => void): void {
  const { parent, propagate_flags: flags = propagate.DEFAULTS } = options;
  // A union of classes that are all emitters, whose overloads TypeScript cannot unite.
  const emitter: EventEmitter | undefined = parent;
  if ((flags & propagate.CANCELLATION) !== 0) emitter?.once('cancelled', cancel);
}
