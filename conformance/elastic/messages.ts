import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** What the server is asked. It answers each with a {@link ServerState}. */
export type ServerOrder = 'up' | 'down' | 'reset' | 'state';

export interface ServerState {
  readonly port: number;
  /** Events that it took, each counted once. */
  readonly unique: number;
  /** Events that came again. */
  readonly again: number;
}

export interface SubjectOptions {
  readonly port: number;
  /** How long it logs. */
  readonly seconds: number;
  /** Directory of the spool; none: memory only. */
  readonly spool?: string;
  /** File that always holds how many events were logged. */
  readonly progress?: string;
}

/** What a subject says when it ends by itself. */
export interface SubjectReport {
  readonly logged: number;
  readonly recovered: number;
  readonly sent: number;
  readonly failed: number;
  readonly dropped: number;
  readonly queued: number;
  readonly spooled: number;
  readonly peakRssMb: number;
  readonly p99DelayMs: number;
}

/** A program of this folder as a child. */
export function start(name: string, argument = ''): ChildProcess {
  return fork(new URL(`${name}.mjs`, import.meta.url), [argument]);
}

export async function ask(server: ChildProcess, order: ServerOrder): Promise<ServerState> {
  server.send(order);
  const [state] = (await once(server, 'message')) as [ServerState];
  return state;
}
