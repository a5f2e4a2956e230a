import type { Clock } from '@apix/contracts';
import { readFileSync } from 'node:fs';
import { constants, homedir } from 'node:os';
import { join } from 'node:path';
import { isatty } from 'node:tty';

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

/** The terminal that a process was started at. */
export interface StartTerminal {
  /** Whether it has been closed. False if there was none. */
  isGone(): boolean;
  /** Makes the process fit to go on and to end without it. */
  leave(): void;
}

/** The terminal behind the standard descriptors, as it is now: to be called at the start. */
export function startTerminal(isTerminal: (fd: number) => boolean = isatty): StartTerminal {
  const terminals = [0, 1, 2].filter(isTerminal);
  let hasLeft = false;
  return {
    // The system makes descriptors of a terminal dead ones before it sends SIGHUP.
    isGone: () => terminals.length > 0 && !terminals.some(isTerminal),
    leave() {
      if (!hasLeft) leaveTerminal();
      hasLeft = true;
    },
  };
}

/**
 * Prepares a process to stop without its terminal. Later writes to the terminal fail without consequence;
 * and the process ends by SIGHUP, like one that does not listen to it, once all exit handlers have run:
 * Node 20 aborts with a core dump when it resets a terminal that is gone.
 */
function leaveTerminal(): void {
  for (const name of ['stdout', 'stderr'] as const) {
    try {
      process[name].on('error', () => {});
    } catch {
      // Node creates the stream now, and may refuse the closed terminal.
    }
  }
  process.once('exit', () => {
    process.removeAllListeners('SIGHUP');
    process.kill(process.pid, 'SIGHUP');
  });
}

/** The part of `process` through which a process manager sends messages. */
export interface MessageSource {
  readonly ppid: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Undefined without a channel to the parent. */
  readonly send?: unknown;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  off(event: 'message', listener: (message: unknown) => void): unknown;
}

/**
 * Calls `stop` for the message `shutdown` of PM2, which it sends with `shutdown_with_message` instead of a
 * signal. Does nothing if the parent of the process is not PM2 itself: a channel to any other parent, also to
 * an app that runs under PM2, has messages of its own. The returned function ends it.
 */
function onManagerStop(source: MessageSource, stop: () => void): () => void {
  // Why: docs/decisions/0279
  if (source.send === undefined || !isStartedByPm2(source)) return () => {};
  const listener = (message: unknown): void => {
    if (message === 'shutdown') stop();
  };
  source.on('message', listener);
  return () => void source.off('message', listener);
}

/** PM2 says which of its apps a process is, and children of the app inherit that. */
function isStartedByPm2({ env, ppid }: MessageSource): boolean {
  if (env['pm_id'] === undefined) return false;
  const home = env['PM2_HOME'] || join(homedir(), '.pm2');
  try {
    return Number(readFileSync(join(home, 'pm2.pid'), 'utf8')) === ppid;
  } catch {
    return false;
  }
}
