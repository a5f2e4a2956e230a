import { isatty } from 'node:tty';
import type { Environment } from '../environment.js';
import { starterCommand, watcherIn } from './watcher.js';

/** The parts of the environment that show whether a load balancer is in front. */
export interface Surrounding {
  /** Whether the process runs in a terminal. */
  readonly isTerminal: () => boolean;
  /** The command line of the process that has started this one. */
  readonly starterCommand: () => readonly string[];
}

const THIS_PROCESS: Surrounding = {
  // Not `process.stdin`, which would be opened by being looked at.
  isTerminal: () => isatty(0) || isatty(1),
  starterCommand,
};

/** Why there is no load balancer in front of a process that gets a signal; undefined: there may be one. */
export type WithoutDelayBy = (signal: NodeJS.Signals) => string | undefined;

/** To be called at the start, see {@link starterCommand}. */
export function signalsWithoutDelay(surrounding: Surrounding = THIS_PROCESS): WithoutDelayBy {
  // Why: docs/decisions/0059
  const watcher = watcherIn(surrounding.starterCommand());
  return (signal) => {
    if (signal === 'SIGHUP') return 'the terminal is gone';
    if (signal === 'SIGINT' && surrounding.isTerminal()) return 'SIGINT from a terminal';
    return watcher === undefined ? undefined : `stopped by ${watcher}`;
  };
}

/** Why there is no load balancer in an environment, so that default delays are 0; undefined: there may be one. */
export function withoutDelayIn(environment: Environment): string | undefined {
  return environment.isLocal() ? `the environment is ${environment.name}` : undefined;
}
