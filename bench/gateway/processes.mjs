import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

/** Starts a process and waits for its port. With PROFILE it leaves a CPU profile there. */
export async function start(file, env) {
  const args = process.env['PROFILE']
    ? ['--cpu-prof', `--cpu-prof-dir=${process.env['PROFILE']}`]
    : [];
  const child = spawn(process.execPath, [...args, file], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const port = await new Promise((resolve, reject) => {
    child.stdout.once('data', (line) => resolve(JSON.parse(String(line)).port));
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)));
  });
  return { child, port };
}

export function ended(child) {
  return new Promise((resolve) => {
    if (child.exitCode === null && child.signalCode === null) child.once('close', resolve);
    else resolve();
  });
}

/** Seconds of CPU that a process has used, user and system. */
export function cpuOf({ pid }) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** MB of memory that a process has in RAM. */
export function rssOf({ pid }) {
  const [, kb] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(kb) / 1024;
}
