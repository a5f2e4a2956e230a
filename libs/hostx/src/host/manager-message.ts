import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The part of `process` through which a process manager sends messages. */
export interface MessageSource {
  readonly ppid: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Undefined without a channel to the parent. */
  readonly send?: unknown;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  off(event: 'message', listener: (message: unknown) => void): unknown;
}

/**
 * Calls `stop` for the message `shutdown` of PM2, which it sends with `shutdown_with_message` instead of a
 * signal. Does nothing if the parent of the process is not PM2 itself: a channel to any other parent, also to
 * an app that runs under PM2, has messages of its own. The returned function ends it.
 */
export function onManagerStop(source: MessageSource, stop: () => void): () => void {
  // Why: docs/decisions/0279
  if (source.send === undefined || !isStartedByPm2(source)) return () => {};
  const listener = (message: unknown): void => {
    if (message === 'shutdown') stop();
  };
  source.on('message', listener);
  return () => void source.off('message', listener);
}

/** PM2 says which of its apps a process is, and children of the app inherit that. */
function isStartedByPm2({ env, ppid }: MessageSource): boolean {
  if (env['pm_id'] === undefined) return false;
  const home = env['PM2_HOME'] || join(homedir(), '.pm2');
  try {
    return Number(readFileSync(join(home, 'pm2.pid'), 'utf8')) === ppid;
  } catch {
    return false;
  }
}
