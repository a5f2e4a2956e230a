import { isatty } from 'node:tty';

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
