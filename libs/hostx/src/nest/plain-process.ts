import { constants } from 'node:os';
import { parseDuration, thrownText } from '@apix/contracts';
import { MAX_TIMER_MS } from '@apix/contracts/internal';
import { Logger } from '@nestjs/common';
import type { Host } from '../host/host-handle.js';
import { HeldSignals } from '../host/signals.js';
import { exitWhenHeldUp } from '../host/process-host.js';
import { stackWithCauses } from '../log/stack-with-causes.js';
import { outcomeOf } from '../outcome.js';
import { DEFAULT_LINGER } from './hostx-options.js';
import { hasShutdownHooks, onQuit, withoutHangup } from './patches/nest-signals.js';

/** A host that runs in a process whose main is not ours. */
export interface Running {
  readonly host: Host;
  readonly run: Promise<void>;
}

/** The parts of a plain main that take part in the end of its process. */
export interface PlainEnd {
  /** Closes the app's log. */
  close(): Promise<void>;
  /** Whether a run that failed ends the process by itself. */
  endsFailed(): boolean;
}

/** The process's signals, connected with a host. */
export interface HostSignals {
  readonly disconnect: () => void;
  /** Whether a signal ends the process as soon as the host has stopped. */
  readonly isEnding: () => boolean;
}

/**
 * Lets the process's signals stop and reload the host.
 *
 * @param held the signals held until now; null: none were.
 */
export function connectProcess(
  { host, run }: Running,
  plain: PlainEnd,
  held: HeldSignals | null,
): HostSignals {
  let isEnding = false;
  const release = host.followSignals(held ?? new HeldSignals({}), (signal) => {
    if (endsByOthers(signal, host.state.phase === 'running')) {
      void run.then(
        () => endFirst(signal),
        () => failBy(signal),
      );
      return;
    }
    isEnding = true;
    void endAlone(run, plain, () => endBy(signal, disconnect));
  });
  const ends = [release, withoutHangup(), onQuit((signal) => host.shutdown(signal))];
  const disconnect = (): void => {
    for (const end of ends.splice(0)) end();
  };
  return { disconnect, isEnding: () => isEnding };
}

/**
 * Whether other listeners end the process. In a running app any may, such as one that calls `app.close()`;
 * before that only Nest's shutdown hooks: one that only sends its last spans would let the app go on to start.
 */
export function endsByOthers(signal: NodeJS.Signals, isRunning: boolean): boolean {
  return isRunning ? process.listenerCount(signal) > 1 : hasShutdownHooks(signal);
}

async function endAlone(run: Promise<void>, plain: PlainEnd, end: () => void): Promise<void> {
  const outcome = await outcomeOf(() => run);
  if (!outcome.ok && plain.endsFailed()) return;
  await outcomeOf(() => plain.close());
  if (outcome.ok) end();
  else failProcess(outcome.error);
}

/** Makes a process that ends because of a signal end with exit code 1. */
function failBy(signal: NodeJS.Signals): void {
  process.once('exit', () => void (process.exitCode = 1));
  process.once(signal, () => process.exit(1));
}

/** Ends the process as the signal would have without a listener. */
export function endBy(signal: NodeJS.Signals, disconnect: () => void): void {
  disconnect();
  const code = 128 + constants.signals[signal];
  if (process.listenerCount(signal) > 0) {
    // Listeners of others keep the signal from ending it, and may still be at work.
    process.exitCode ??= code;
    exitWhenHeldUp(parseDuration(DEFAULT_LINGER), code);
  } else if (process.pid === 1) process.exit(code);
  else process.kill(process.pid, signal);
}

/** The system keeps a process 1 from ending by a signal that it sends itself, as Nest's hooks do. */
export function endFirst(signal: NodeJS.Signals): void {
  if (process.pid === 1) process.once(signal, () => process.exit(128 + constants.signals[signal]));
}

/**
 * Ends the process with exit code 1 because of an error, which goes to stderr where Nest's logger
 * is switched off. Nest's shutdown hooks run before that, where they are enabled.
 */
export function failProcess(error: unknown): void {
  if (!Logger.isLevelEnabled('error')) {
    process.stderr.write(`${stackWithCauses(error) ?? thrownText(error)}\n`);
  }
  if (process.listenerCount('SIGTERM') === 0) process.exit(1);
  // Nest ends with the signal, which a supervisor takes for success, or with exit code 0.
  process.once('exit', () => void (process.exitCode = 1));
  // The signal may be delivered a while after it was sent, and holds nothing until then.
  const hold = setInterval(() => {}, MAX_TIMER_MS);
  process.once('SIGTERM', () => {
    clearInterval(hold);
    process.once('SIGTERM', () => process.exit(1));
  });
  process.kill(process.pid, 'SIGTERM');
}
