import type { BuildOptions } from 'esbuild';
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleScript, ROOT } from './bundle-script.js';
import { AS_FIRST_PROCESS, signalChild } from './first-process.js';

/** What programs load from node_modules, as apps do. */
const EXTERNAL = [
  'koffi',
  '@grpc/grpc-js',
  '@nestjs/*',
  '@opentelemetry/*',
  'express',
  'pino',
  'reflect-metadata',
  'rxjs',
  'ws',
  'yaml',
];

/** After this time a program is taken for stuck: less than the 60 s of the tests that run one. */
const STUCK_MS = 50_000;

/** A program of the sources that can be run as a process of its own. */
export interface Program {
  readonly file: string;
  run(...args: string[]): Child;
  /** Runs it as process 1, as in a container. */
  runFirst(...args: string[]): Child;
  /** Runs it in a folder of its own. */
  runIn(folder: string): Child;
  remove(): Promise<void>;
}

export interface Child {
  readonly process: ChildProcess;
  /** Sends the program a signal. */
  kill(signal: NodeJS.Signals): void;
  /** Resolves when stdout has the text; rejects when the process ends without. */
  said(text: string): Promise<void>;
  readonly ended: Promise<{
    readonly code: number | null;
    readonly signal: string | null;
    readonly out: string;
    readonly err: string;
  }>;
}

/** A file, or code as if it were in a folder of it. */
export type Source = URL | { readonly code: string; readonly folder: URL };

/** Bundles a source with what it imports, so that Node runs it without Jest. */
export async function program(source: Source): Promise<Program> {
  const folder = await mkdtemp(join(ROOT, 'node_modules', '.program-'));
  const outfile = join(folder, 'program.mjs');
  await bundleScript({ ...entry(source), external: EXTERNAL }, outfile);
  return {
    file: outfile,
    run: (...args) => child([process.execPath, outfile, ...args]),
    runFirst: (...args) => {
      const first = child([...AS_FIRST_PROCESS, process.execPath, outfile, ...args]);
      return { ...first, kill: (signal) => signalChild(first.process.pid!, signal) };
    },
    runIn: (cwd) => child([process.execPath, outfile], cwd),
    remove: () => rm(folder, { recursive: true }),
  };
}

function entry(source: Source): Pick<BuildOptions, 'entryPoints' | 'stdin'> {
  if (source instanceof URL) return { entryPoints: [fileURLToPath(source)] };
  const { code, folder } = source;
  return { stdin: { contents: code, resolveDir: fileURLToPath(folder), loader: 'ts' } };
}

function child([file, ...args]: readonly string[], cwd?: string): Child {
  const process_ = spawn(file!, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_OPTIONS: '' },
    ...(cwd === undefined ? {} : { cwd }),
  });
  let out = '';
  let err = '';
  const waiting = new Set<() => void>();
  const stuck = setTimeout(() => {
    const command = [file, ...args].join(' ');
    console.error(
      `${command} runs for ${STUCK_MS} ms.\nstdout: ${out}\nstderr: ${err}\n${waitsOf(process_.pid!)}`,
    );
  }, STUCK_MS).unref();
  process_.once('close', () => clearTimeout(stuck));
  process_.stdout.on('data', (data: Buffer) => {
    out += data.toString();
    for (const look of waiting) look();
  });
  process_.stderr.on('data', (data: Buffer) => (err += data.toString()));
  return {
    process: process_,
    kill: (signal) => void process_.kill(signal),
    said: (text) =>
      new Promise((resolve, reject) => {
        process_.once('close', () => reject(new Error(`ended without "${text}": ${out}${err}`)));
        const look = (): void => {
          if (!out.includes(text)) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    ended: new Promise((resolve) => {
      process_.on('close', (code, signal) => resolve({ code, signal, out, err }));
    }),
  };
}

/** What each thread of a process waits for in the system: says whether one that does not end is still at work. */
function waitsOf(pid: number): string {
  const tasks = `/proc/${pid}/task`;
  try {
    const waitOf = (task: string): string =>
      ['comm', 'wchan', 'syscall']
        .map((name) => readFileSync(`${tasks}/${task}/${name}`, 'utf8').trim())
        .join(' ');
    return readdirSync(tasks).map(waitOf).join('\n');
  } catch (error) {
    return String(error);
  }
}
