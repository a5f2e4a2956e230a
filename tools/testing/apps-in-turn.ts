import { readdirSync } from 'node:fs';
import type { Program } from './program.js';

/** An app that was created, which may also serve. */
interface Closable {
  close(): Promise<void>;
}

/** What a process holds, and whether Node warned. */
interface Held {
  /** Listeners of the process by event; those of signals too. */
  readonly listeners: Readonly<Record<string, number>>;
  /** Open descriptors; undefined where they cannot be listed. */
  readonly descriptors: number | undefined;
  /** Timers, sockets, servers and so on that keep the process running. */
  readonly resources: readonly string[];
}

export interface HeldByApps {
  readonly afterTwo: Held;
  readonly afterTwelve: Held;
  readonly warnings: readonly string[];
}

/**
 * For a program: runs twelve apps one after the other, and writes what the process holds after two, when all
 * that is made once has been made, and after all.
 */
export async function runInTurn(start: () => Promise<Closable>): Promise<void> {
  const warnings: string[] = [];
  process.on('warning', (warning) => warnings.push(`${warning.name}: ${warning.message}`));
  const runApps = async (count: number): Promise<Held> => {
    for (let i = 0; i < count; i++) {
      const app = await start();
      await app.close();
    }
    return held();
  };
  const afterTwo = await runApps(2);
  const afterTwelve = await runApps(10);
  const report: HeldByApps = { afterTwo, afterTwelve, warnings };
  process.stdout.write(`\n${JSON.stringify(report)}\n`);
}

/** Runs such a program, and reads what it wrote. */
export async function heldByApps(program: Program): Promise<HeldByApps> {
  const { out, err, code } = await program.run().ended;
  const line = out.trimEnd().split('\n').at(-1);
  if (code !== 0 || line === undefined) throw new Error(`exit code ${code}\n${out}\n${err}`);
  return JSON.parse(line) as HeldByApps;
}

/** A turn later: what is closed is gone then. */
async function held(): Promise<Held> {
  await new Promise((resolve) => setTimeout(resolve, 50));
  const names = process.eventNames().map(String).toSorted();
  return {
    listeners: Object.fromEntries(names.map((name) => [name, process.listenerCount(name)])),
    descriptors: process.platform === 'linux' ? readdirSync('/proc/self/fd').length : undefined,
    resources: process.getActiveResourcesInfo().toSorted(),
  };
}
