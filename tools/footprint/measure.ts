import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type Coverage, DebuggedProcess } from './debugged-process.js';
import { Demo } from './demo.js';
import { type UsedFile, usedFiles } from './used-files.js';

/** What can be measured, in the order of the table. */
export const ACTIONS = ['log', 'grpc', 'rest', 'sigterm', 'cron', 'probe'] as const;
export type Action = (typeof ACTIONS)[number];

/** How often an action is done before anything is counted, so that caches are filled. */
const WARM_UP = 20;
/** For what a process does after it has answered, such as writing its log, in milliseconds. */
const SETTLE_MS = 100;

export interface MeasureOptions {
  /** A repository that has its dependencies, and whose demo was built into dist/. */
  readonly root: string;
  /** Where tools/footprint/subjects is. */
  readonly subjects: string;
  /** How often an action is done while it is counted. */
  readonly rounds: number;
}

/** The files and functions that each doing of an action runs. @throws Error when it fails. */
export async function measure(action: Action, options: MeasureOptions): Promise<UsedFile[]> {
  const folder = mkdtempSync(join(tmpdir(), 'apix-footprint-'));
  const libs = `${pathToFileURL(join(options.root, 'dist/libs')).href}/`;
  try {
    switch (action) {
      case 'log':
      case 'cron': {
        const subject = await startSubject(action, options, folder);
        const coverage = await perRound(subject, options.rounds, () =>
          subject.evaluate('footprint.act()'),
        ).finally(() => subject.kill());
        return usedFiles(coverage, libs, options.rounds);
      }
      case 'grpc':
        return await ofDemo((demo) => demo.call());
      case 'rest':
        return await ofDemo((demo) => demo.rest());
      case 'probe':
        return await ofDemo((demo) => demo.probe());
      case 'sigterm':
        return await ofSignal();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }

  async function ofDemo(act: (demo: Demo) => Promise<void>): Promise<UsedFile[]> {
    const demo = await Demo.start(options.root, folder);
    const coverage = await perRound(demo.process, options.rounds, () => act(demo)).finally(() =>
      stop(demo),
    );
    return usedFiles(coverage, libs, options.rounds);
  }

  async function ofSignal(): Promise<UsedFile[]> {
    const demo = await Demo.start(options.root, folder);
    demo.closeClient();
    // The text of a time is remembered for a second: one begins, and has a line before the stop has its first.
    await sleep(1_000 - (Date.now() % 1_000));
    await demo.rest();
    await sleep(SETTLE_MS);
    await demo.process.take();
    return usedFiles(await demo.process.runToExit('SIGTERM'), libs, 1);
  }
}

/** What the process runs while an action is done so many times, one after the other. */
async function perRound(
  subject: DebuggedProcess,
  rounds: number,
  act: () => Promise<void>,
): Promise<Coverage> {
  for (let round = 0; round < WARM_UP; round++) await act();
  await sleep(SETTLE_MS);
  await subject.take();
  for (let round = 0; round < rounds; round++) await act();
  await sleep(SETTLE_MS);
  return subject.take();
}

/** Inside dist/, so that it finds the packages and the dependencies of the repository measured. */
async function startSubject(
  action: 'log' | 'cron',
  { root, subjects }: MeasureOptions,
  folder: string,
): Promise<DebuggedProcess> {
  const home = join(root, 'dist/footprint');
  mkdirSync(home, { recursive: true });
  const file = join(home, `${action}.mjs`);
  copyFileSync(join(subjects, `${action}.mjs`), file);
  const subject = await DebuggedProcess.start([file, join(folder, 'log.jsonl')], { cwd: root });
  await subject.said(/^ready$/m);
  return subject;
}

async function stop(demo: Demo): Promise<void> {
  demo.closeClient();
  await demo.process.kill();
}
