import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** More than `listen_timeout` and `kill_timeout` of the recipe. */
const LONGEST_COMMAND_MS = 120_000;

/** A daemon of PM2 with a home of its own, for the app in a folder. */
export class Manager {
  readonly #program: string;
  readonly #folder: string;
  readonly #home: string;
  readonly #env: NodeJS.ProcessEnv;

  constructor(program: string, folder: string, home: string, env: NodeJS.ProcessEnv) {
    this.#program = program;
    this.#folder = folder;
    this.#home = home;
    this.#env = {
      ...process.env,
      ...env,
      NODE_OPTIONS: '',
      PM2_HOME: home,
      PM2_DISABLE_VERSION_CHECK: 'true',
    };
  }

  /** Runs a command of PM2 to its end. */
  async command(...args: readonly string[]): Promise<string> {
    const options = { cwd: this.#folder, env: this.#env, timeout: LONGEST_COMMAND_MS };
    const { stdout } = await run(process.execPath, [this.#program, ...args], options);
    return stdout;
  }

  /** How the processes ended so far, as PM2 logs it: `exited with code [0] via signal [SIGINT]`. */
  async exits(): Promise<readonly string[]> {
    const log = await readFile(join(this.#home, 'pm2.log'), 'utf8');
    return log.match(/exited with code .*/g) ?? [];
  }
}
