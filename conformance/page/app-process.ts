import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** The app in a process of its own. */
export class AppProcess {
  private constructor(private readonly child: ChildProcess) {}

  /** Resolves when it answers. */
  static async start(port: number): Promise<AppProcess> {
    const script = fileURLToPath(new URL('child.mjs', import.meta.url));
    const child = spawn(process.execPath, [script, `${port}`], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    while (!(await answers(port))) {
      if (child.exitCode !== null) throw new Error(`the app ended with ${child.exitCode}`);
      await sleep(50);
    }
    return new AppProcess(child);
  }

  get pid(): number {
    return this.child.pid!;
  }

  signal(name: NodeJS.Signals): void {
    this.child.kill(name);
  }

  /** Sends a signal and resolves when it has ended. */
  async end(name: NodeJS.Signals): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill(name);
    await ended;
  }
}

async function answers(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/readyz`)).ok;
  } catch {
    return false;
  }
}
