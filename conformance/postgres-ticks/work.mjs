import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** The work of a tick, the same for all subjects: it takes a while, and everything of it is written down. */
export async function work(journal, about) {
  const write = (what) =>
    appendFileSync(
      journal,
      `${JSON.stringify({ what, ...about, pid: process.pid, at: Date.now() })}\n`,
    );
  write('begin');
  process.send?.(about);
  await sleep(500);
  write('end');
}
