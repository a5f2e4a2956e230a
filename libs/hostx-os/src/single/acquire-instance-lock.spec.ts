import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { AlreadyRunningError } from '../errors.js';
import { acquireInstanceLock } from './acquire-instance-lock.js';
import { type Program, program } from '../../../../tools/testing/program.js';

let folder: string;
let path: string;
let holder: Program;

beforeAll(async () => {
  holder = await program(new URL('holder.fixture.ts', import.meta.url));
});

afterAll(() => holder.remove());

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'single-'));
  path = join(folder, 'run', 'shop.lock');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('acquireInstanceLock()', () => {
  it('makes the folder, holds the lock and writes down the process id', () => {
    using lock = acquireInstanceLock(path);
    expect(lock.path).toBe(path);
    expect(readFileSync(path, 'utf8')).toBe(`${process.pid}\n`);
  });

  it('refuses a second holder and names the first, also inside one process', () => {
    using _lock = acquireInstanceLock(path);
    expect(() => acquireInstanceLock(path)).toThrow(AlreadyRunningError);
    expect(() => acquireInstanceLock(path)).toThrow(
      `hostx-os: another instance is running: process ${process.pid} holds the lock ${path}`,
    );
  });

  it('names nobody where the file says nothing that can be a process id', () => {
    using _lock = acquireInstanceLock(path);
    for (const text of ['', 'me', '-1', '0', '12 13', '9'.repeat(20)]) {
      writeFileSync(path, text);
      expect(() => acquireInstanceLock(path)).toThrow(expect.objectContaining({ pid: null }));
    }
  });

  it('is refused while another process lives, and free once it was killed', async () => {
    const child = holder.run(path);
    await child.said('held');
    expect(() => acquireInstanceLock(path)).toThrow(
      expect.objectContaining({ pid: child.process.pid }),
    );
    child.process.kill('SIGKILL');
    await child.ended;
    using lock = acquireInstanceLock(path);
    expect(readFileSync(lock.path, 'utf8')).toBe(`${process.pid}\n`);
  });

  it('is not kept by the children of a holder that has died', async () => {
    const lock = acquireInstanceLock(path);
    const child = spawn('sleep', ['60'], { stdio: 'inherit' });
    lock.release();
    try {
      acquireInstanceLock(path).release();
    } finally {
      child.kill();
    }
  });

  it('locks the file that others find, if it was removed and created again', () => {
    using _old = acquireInstanceLock(path);
    unlinkSync(path);
    using _new = acquireInstanceLock(path);
    expect(() => acquireInstanceLock(path)).toThrow(AlreadyRunningError);
  });

  it('follows no symbolic link', () => {
    const target = join(folder, 'target');
    writeFileSync(target, 'precious');
    const link = join(folder, 'link.lock');
    symlinkSync(target, link);
    expect(() => acquireInstanceLock(link)).toThrow('ELOOP');
    expect(readFileSync(target, 'utf8')).toBe('precious');
  });

  it('is refused in a worker, which may end before the process', async () => {
    const worker = new Worker(holder.file, { argv: [path] });
    const [error] = (await once(worker, 'error')) as [Error];
    expect(error.message).toContain('a lock must be acquired in the main thread');
  });
});

describe('release()', () => {
  it('gives the lock back, once, and leaves an empty file', () => {
    const lock = acquireInstanceLock(path);
    lock.release();
    expect(readFileSync(path, 'utf8')).toBe('');
    using _next = acquireInstanceLock(path);
    lock.release();
    expect(() => acquireInstanceLock(path)).toThrow(AlreadyRunningError);
  });
});
