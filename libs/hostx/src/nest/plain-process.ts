import { systemClock, thrownText } from '@apix/contracts';
import { Logger } from '@nestjs/common';
import type { Host } from '../host/host-handle.js';
import { connectSignals } from '../host/signals.js';
import { signalsWithoutDelay } from '../host/without-delay.js';
import { stackWithCauses } from '../log/stack-with-causes.js';

/** A host that runs in a process whose main is not ours. */
export interface Running {
  readonly host: Host;
  readonly run: Promise<void>;
}

/** Lets the process's signals stop and reload the host; the returned function ends that. */
export function connectProcess({ host, run }: Running, close: () => Promise<void>): () => void {
  const withoutDelayBy = signalsWithoutDelay();
  const disconnect = connectSignals(
    process,
    {
      shutdown: (signal) => {
        host.shutdown(signal, { withoutDelay: withoutDelayBy(signal) });
        // Whoever listens besides us, such as Nest's shutdown hooks, ends the process.
        if (process.listenerCount(signal) > 1) return;
        void run
          .catch(() => {})
          .then(close)
          .finally(() => endBy(signal, disconnect));
      },
      reload: () => void host.reload().catch(() => {}),
      exit: (code, signal) => {
        host.tellForced(signal);
        process.exit(code);
      },
    },
    systemClock,
  );
  return disconnect;
}

/** Ends the process as the signal would have, had nobody listened to it. */
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
