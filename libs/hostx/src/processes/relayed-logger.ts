import type { HostLogger } from '../log/host-logger.js';
import type { RelayedLine } from './process-channel.js';
import type { WorkerProcess } from './worker-process.js';

/**
 * The log of the parent, which a process writes for it: the parent has no logger of the app. While no process
 * serves, lines go to the given logger.
 */
export function relayedLogger(
  writer: () => WorkerProcess | undefined,
  alone: HostLogger,
): HostLogger {
  const relay = (line: RelayedLine, otherwise: () => void): void => {
    const worker = writer();
    if (worker === undefined) otherwise();
    else worker.channel.tell({ kind: 'log', ...line });
  };
  return {
    information: (template, ...args) =>
      relay({ level: 'information', template, args }, () => alone.information(template, ...args)),
    warning: (template, ...args) =>
      relay({ level: 'warning', template, args }, () => alone.warning(template, ...args)),
    error: (thrown, template, ...args) => {
      const error =
        thrown instanceof Error ? { message: thrown.message, stack: thrown.stack } : undefined;
      relay({ level: 'error', template, args, error }, () =>
        alone.error(thrown, template, ...args),
      );
    },
  };
}
