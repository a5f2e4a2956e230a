import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { isatty } from 'node:tty';
import type { Environment } from '../environment.js';

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

/** How long `ps` may take, in milliseconds. */
const PS_TIMEOUT_MS = 500;

/** A process, as far as it is known. */
interface Ancestor {
  readonly command: readonly string[];
  readonly parent: number;
}

/**
 * The command line of the process that has started this one; a shell in between is skipped. Empty if the
 * system does not provide it, as on Windows, where no watcher sends a signal.
 *
 * Call it at the start: a watcher ends the shell first, and then the parent cannot be found.
 */
export function starterCommand(platform: string = process.platform): readonly string[] {
  if (platform === 'win32') return [];
  const look = platform === 'linux' ? fromProc : fromPs;
  try {
    const { command, parent } = look(process.ppid);
    return isShell(command) ? look(parent).command : command;
  } catch {
    return [];
  }
}

function isShell([program = '', option]: readonly string[]): boolean {
  return /^-?(ba|da|z|a)?sh$/.test(basename(program)) && option === '-c';
}

function fromProc(pid: number): Ancestor {
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean);
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // `pid (name) state ppid`, where a name may have spaces and brackets.
  const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { command, parent: Number(parent) };
}

function fromPs(pid: number): Ancestor {
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const { stdout } = spawnSync('ps', ['-o', 'ppid=,args=', '-p', String(pid)], {
    encoding: 'utf8',
    timeout: PS_TIMEOUT_MS,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [parent, ...command] = (stdout ?? '').trim().split(/\s+/);
  return { command, parent: Number(parent) };
}

/**
 * Which development tool a command is that restarts its program when a file is saved, such as
 * `nest start --watch`; undefined for any other command. The same tools without their watch, which
 * production may use, are not meant.
 */
export function watcherIn(command: readonly string[]): string | undefined {
  const [program = '', ...args] = command.map(nameOf);
  const words = [program, ...args];
  const nest = words.indexOf('nest');
  if (nest !== -1 && words.includes('start', nest) && hasWatch(words.slice(nest))) {
    return 'nest start --watch';
  }
  const tsx = words.findIndex(
    (word, at) => word === 'tsx' || /[/\\]tsx[/\\]dist[/\\]cli\./.test(command[at]!),
  );
  if (tsx !== -1 && words[tsx + 1] === 'watch') return 'tsx watch';
  if (program !== 'node') return undefined;
  // Node's own options come before the script.
  const script = args.findIndex((arg) => !arg.startsWith('-'));
  const own = script === -1 ? args : args.slice(0, script);
  return own.some((arg) => /^--watch(-path)?(=|$)/.test(arg)) ? 'node --watch' : undefined;
}

function hasWatch(words: readonly string[]): boolean {
  const end = words.indexOf('--');
  const own = end === -1 ? words : words.slice(0, end);
  return own.some((word) => word === '--watch' || word === '-w');
}

/** `nest` of `/app/node_modules/.bin/nest` and of `…\nest.js`; an option as it is. */
function nameOf(word: string): string {
  return word.startsWith('-') ? word : basename(word).replace(/\.(js|cjs|mjs|cmd|exe)$/, '');
}
