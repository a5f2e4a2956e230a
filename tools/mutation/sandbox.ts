import { execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** How a run of spec files ended. */
export type Outcome = 'passed' | 'failed' | 'timeout';

/** A copy of the repository in which files may be broken, with the packages of the original. */
export class Sandbox {
  readonly folder: string;
  /** Ends what runs at present. */
  #kill = (): void => {};

  constructor(root: string) {
    this.folder = mkdtempSync(join(tmpdir(), 'apix-mutation-'));
    const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
      cwd: root,
      maxBuffer: 2 ** 28,
    });
    for (const file of listed.toString().split('\0')) {
      if (file === '' || !existsSync(join(root, file))) continue;
      mkdirSync(dirname(join(this.folder, file)), { recursive: true });
      cpSync(join(root, file), join(this.folder, file));
    }
    symlinkSync(join(root, 'node_modules'), join(this.folder, 'node_modules'), 'junction');
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.folder, file), text);
  }

  /** Runs spec files until one fails. What they print comes along. */
  run(specs: readonly string[], timeoutMs: number): Promise<{ outcome: Outcome; output: string }> {
    const child = spawn(
      process.execPath,
      ['node_modules/jest/bin/jest.js', '--bail', '--maxWorkers=1', '--runTestsByPath', ...specs],
      {
        cwd: this.folder,
        // A group of its own, so that what a test has started ends with it.
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: {
          ...process.env,
          CI: 'true',
          NODE_OPTIONS: '--experimental-vm-modules --disable-warning=ExperimentalWarning',
        },
      },
    );
    this.#kill = () => {
      try {
        process.kill(-child.pid!, 'SIGKILL');
      } catch {
        // It has ended just now.
      }
    };
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text: Buffer) => (output = (output + text.toString()).slice(-20_000)));
    }
    return new Promise((resolve) => {
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        this.#kill();
      }, timeoutMs);
      child.once('close', (code) => {
        clearTimeout(timer);
        // A worker in an endless loop outlives the Jest that has given it up.
        this.#kill();
        this.#kill = () => {};
        const outcome = isLate ? 'timeout' : code === 0 ? 'passed' : 'failed';
        resolve({ outcome, output });
      });
    });
  }

  /** Also in the middle of a run. */
  remove(): void {
    this.#kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
