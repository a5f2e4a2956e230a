import type { Clock } from '@apix/contracts';
import { constants } from 'node:os';
import { type MessageSource, onManagerStop } from './manager-message.js';
import { type StartTerminal, startTerminal } from './terminal.js';

/** The part of `process` that signals and orders of its manager come through. */
export type SignalSource = MessageSource & {
  readonly platform: string;
  emit(signal: NodeJS.Signals, name: NodeJS.Signals): unknown;
  prependListener(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
  off(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
};

export interface SignalTargets {
  shutdown(signal: NodeJS.Signals): void;
  reload(): void;
  /** Ends the process at once. */
  exit(code: number, signal: NodeJS.Signals): void;
}

/** Supervisors, terminals and npm send the same signal twice; within this time it is one. */
const REPEAT_MS = 1_000;

/**
 * Connects the process's signals to a host. SIGHUP reloads it, or stops it where the terminal of its start is
 * gone. A manager's message is a SIGTERM, for the other listeners of that signal too. The returned function takes
 * them off again.
 */
export function connectSignals(
  source: SignalSource,
  targets: SignalTargets,
  clock: Clock,
  terminal: StartTerminal = startTerminal(),
): () => void {
  let last: number | null = null;
  let isAsked = false;
  let isAsking = false;
  const onStop = (signal: NodeJS.Signals): void => {
    const now = clock.now();
    const repeated = last !== null && now - last < REPEAT_MS;
    if (last === null) {
      if (!isAsked || isAsking) targets.shutdown(signal);
    } else if (!repeated) targets.exit(128 + constants.signals[signal], signal);
    // A manager that has sent a message may send a signal after it, which is no second request.
    if (!repeated && !isAsking) last = now;
  };
  const onMessage = (): void => {
    if (isAsked || last !== null) return;
    isAsked = true;
    isAsking = true;
    source.emit('SIGTERM', 'SIGTERM');
    isAsking = false;
  };
  // Why: docs/decisions/0279
  const onHangup = (): void => {
    if (!terminal.isGone()) return targets.reload();
    terminal.leave();
    if (last === null) onStop('SIGHUP');
  };
  const listeners: [NodeJS.Signals, (signal: NodeJS.Signals) => void][] = [
    ['SIGINT', onStop],
    ['SIGTERM', onStop],
  ];
  if (source.platform !== 'win32') listeners.push(['SIGHUP', onHangup]);
  // Before those of the app, which may be there once and gone when they run.
  for (const [signal, listener] of listeners) source.prependListener(signal, listener);
  const offMessages = onManagerStop(source, onMessage);
  return () => {
    offMessages();
    for (const [signal, listener] of listeners) source.off(signal, listener);
    // A process of another session gets no SIGHUP.
    if (source.platform !== 'win32' && terminal.isGone()) terminal.leave();
  };
}
