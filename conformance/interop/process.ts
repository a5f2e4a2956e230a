import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A program that speaks by lines. */
export class LineProcess {
  readonly #child: ChildProcess;
  readonly #lines: string[] = [];
  readonly #waiting = new Set<() => void>();
  #hasEnded = false;

  constructor(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
    this.#child = spawn(command, args, {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, ...env },
    });
    const wake = (): void => this.#waiting.forEach((each) => each());
    createInterface(this.#child.stdout!).on('line', (line) => {
      this.#lines.push(line);
      wake();
    });
    this.#child.once('close', () => {
      this.#hasEnded = true;
      wake();
    });
  }

  say(line: string): void {
    this.#child.stdin!.write(`${line}\n`);
  }

  /** The first line that matches, which is taken away with those before it. @throws Error when none comes in time. */
  async line(pattern: RegExp, timeoutMs: number): Promise<RegExpExecArray> {
    const deadline = AbortSignal.timeout(timeoutMs);
    for (;;) {
      while (this.#lines.length > 0) {
        const found = pattern.exec(this.#lines.shift()!);
        if (found !== null) return found;
      }
      if (this.#hasEnded) throw new Error(`the program ended before it said ${pattern}`);
      if (deadline.aborted) throw new Error(`the program did not say ${pattern} in time`);
      await this.#change(deadline);
    }
  }

  /** Drops what was said so far. */
  forget(): void {
    this.#lines.length = 0;
  }

  async stop(): Promise<void> {
    if (this.#hasEnded) return;
    const closed = once(this.#child, 'close');
    this.#child.kill('SIGKILL');
    await closed;
  }

  #change(deadline: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.#waiting.delete(done);
        deadline.removeEventListener('abort', done);
        resolve();
      };
      this.#waiting.add(done);
      deadline.addEventListener('abort', done);
    });
  }
}
