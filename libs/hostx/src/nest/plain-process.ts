import { systemClock, thrownText } from '@apix/contracts';
import { Logger } from '@nestjs/common';
import type { Host } from '../host/host-handle.js';
import { connectSignals } from '../host/signals.js';
import { signalsWithoutDelay } from '../host/without-delay.js';
import { stackWithCauses } from '../log/stack-with-causes.js';
import { outcomeOf } from '../outcome.js';
import { onQuit, withoutHangup } from './patches/nest-signals.js';

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

/** Lets the process's signals stop and reload the host; the returned function ends that. */
export function connectProcess({ host, run }: Running, plain: PlainEnd): () => void {
  const withoutDelayBy = signalsWithoutDelay();
  const ends = [
    connectSignals(
      process,
      {
        shutdown: (signal) => {
          host.shutdown(signal, { withoutDelay: withoutDelayBy(signal) });
          // Another listener, such as Nest's shutdown hooks, ends the process.
          if (process.listenerCount(signal) > 1) void run.catch(() => failBy(signal));
          else void endAlone(run, plain, () => endBy(signal, disconnect));
        },
        reload: () => void host.reload().catch(() => {}),
        exit: (code, signal) => {
          host.tellForced(signal);
          process.exit(code);
        },
      },
      systemClock,
    ),
    withoutHangup(),
    onQuit((signal) => host.shutdown(signal)),
  ];
  const disconnect = (): void => {
    for (const end of ends.splice(0)) end();
  };
  return disconnect;
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
function endBy(signal: NodeJS.Signals, disconnect: () => void): void {
  disconnect();
  process.kill(process.pid, signal);
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
  process.once('SIGTERM', () => process.once('SIGTERM', () => process.exit(1)));
  process.kill(process.pid, 'SIGTERM');
}
