import { isatty } from 'node:tty';
import { DEFAULT_ENVIRONMENT_VAR, type Environment } from '../environment.js';
import { starterCommand, watcherIn } from './watcher.js';

/** What of the surrounding says whether a load balancer is in front. */
export interface Surrounding {
  /** Whether somebody sits before the process. */
  readonly isTerminal: () => boolean;
  /** The words with which the process was started that has started this one. */
  readonly starterCommand: () => readonly string[];
}

const THIS_PROCESS: Surrounding = {
  // Not `process.stdin`, which would be opened by being looked at.
  isTerminal: () => isatty(0) || isatty(1),
  starterCommand,
};

/** Why no one balances load in front of a process that gets a signal; undefined: somebody may. */
export type WithoutDelayBy = (signal: NodeJS.Signals) => string | undefined;

/** To be called at the start, see {@link starterCommand}. */
export function signalsWithoutDelay(surrounding: Surrounding = THIS_PROCESS): WithoutDelayBy {
  // Why: docs/decisions/0227
  const watcher = watcherIn(surrounding.starterCommand());
  return (signal) => {
    if (signal === 'SIGHUP') return 'the terminal is gone';
    if (signal === 'SIGINT' && surrounding.isTerminal()) return 'SIGINT of a terminal';
    return watcher === undefined ? undefined : `stopped by ${watcher}`;
  };
}

const UNBALANCED = ['development', 'test'];

/**
 * Why no one balances load in an environment, so that delays are 0 where no one asked for one: Development
 * and Test, or else what NODE_ENV says. Undefined: somebody may.
 *
 * @param given that of the builder; null: what the variables say
 */
export function withoutDelayIn(
  given: Environment | null,
  env: Readonly<Record<string, string | undefined>> = process.env,
): string | undefined {
  const name = given?.name ?? (env[DEFAULT_ENVIRONMENT_VAR]?.trim() || undefined);
  if (name !== undefined) {
    return UNBALANCED.includes(name.toLowerCase()) ? `the environment is ${name}` : undefined;
  }
  const node = env['NODE_ENV']?.trim() ?? '';
  return UNBALANCED.includes(node.toLowerCase()) ? `NODE_ENV is ${node}` : undefined;
}
