import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';

/** A program at a terminal of its own, which can be closed. */
export interface AtTerminal {
  /** Resolves when the terminal shows the text. */
  shows(text: string): Promise<void>;
  /** Closes the terminal, as a window or a connection that ends. */
  close(): void;
  /** What the shell says of how the program ended, and what the program wrote to descriptor 3. */
  readonly ended: Promise<{ readonly status: number; readonly told: string }>;
}

/** Whether this machine can do that: `script` of util-linux makes the terminal. */
export const HAS_TERMINALS = process.platform === 'linux';

/** Runs a Node program at a terminal. */
export function atTerminal(file: string, ...args: readonly string[]): AtTerminal {
  const command = [process.execPath, file, ...args].map((word) => `'${word}'`).join(' ');
  // As shells do: it passes the signal on, and here it outlives the terminal to tell the status.
  const session =
    `${command} </dev/tty & child=$!; trap 'kill -HUP $child' HUP; ` +
    'wait $child; wait $child; echo "status $?" >&3';
  const script = spawn('script', ['--quiet', '--command', session, '/dev/null'], {
    stdio: ['pipe', 'pipe', 'ignore', 'pipe'],
    env: { ...process.env, NODE_OPTIONS: '', SHELL: '/bin/sh' },
  });
  const screen = new Screen(script);
  return {
    shows: (text) => screen.shows(text),
    close: () => void script.kill('SIGKILL'),
    ended: toldBy(script.stdio[3] as Readable),
  };
}

class Screen {
  #text = '';
  #look = (): void => {};

  constructor(script: ChildProcess) {
    script.stdout?.on('data', (data: Buffer) => {
      this.#text += data.toString();
      this.#look();
    });
  }

  shows(text: string): Promise<void> {
    return new Promise((resolve) => {
      this.#look = () => {
        if (this.#text.includes(text)) resolve();
      };
      this.#look();
    });
  }
}

/** The descriptor ends with its last holder. */
async function toldBy(descriptor: Readable): Promise<{ status: number; told: string }> {
  let told = '';
  for await (const part of descriptor) told += String(part);
  const status = /status (\d+)\n$/.exec(told);
  return { status: Number(status?.[1]), told: told.slice(0, status?.index) };
}
