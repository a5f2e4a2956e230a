import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { spawn } from 'node:child_process';
import { boundSocket } from '../http/bound-socket.fixture.js';
import { type Child, type Program, program } from '../../../../tools/testing/program.js';
import { type ProcessesOptions, resolveProcesses } from './processes-options.js';

jest.setTimeout(120_000);

let app: Program;
beforeAll(async () => {
  app = await program(new URL('./processes.fixture.ts', import.meta.url));
});
afterAll(() => app.remove());

/** A parent with two processes that serve, and what they have said. */
interface Site {
  readonly child: Child;
  readonly out: () => string;
  readonly port: number;
  /** The process ids that were said to be ready, the latest last. */
  readonly pids: (index: number) => number[];
  fetch(path: string): Promise<string>;
}

async function started(...args: string[]): Promise<Site> {
  const child = app.run(...args);
  let out = '';
  child.process.stdout!.on('data', (data: Buffer) => (out += String(data)));
  await Promise.all([child.said('1 ready'), child.said('2 ready')]);
  const ports = new Set([...out.matchAll(/ready \d+ (\d+)/g)].map(([, port]) => Number(port)));
  expect([...ports]).toHaveLength(1);
  const [port = 0] = ports;
  return {
    child,
    port,
    out: () => out,
    pids: (index) =>
      [...out.matchAll(new RegExp(`^${index} ready (\\d+)`, 'gm'))].map(([, pid]) => Number(pid)),
    fetch: (path) => asked(port, path),
  };
}

/** The answer to a request, or the code of its failure. */
function asked(port: number, path: string, agent?: Agent): Promise<string> {
  return new Promise((resolve) => {
    const request = get({ port, host: '127.0.0.1', path, agent: agent ?? false }, (response) => {
      let body = '';
      response.on('data', (data: Buffer) => (body += String(data)));
      response.on('end', () =>
        resolve(response.statusCode === 200 ? body : `${response.statusCode} ${body}`),
      );
      response.on('error', (error) => resolve(String(error)));
    });
    request.on('error', (error: NodeJS.ErrnoException) => resolve(String(error.code)));
  });
}

/** The same, as soon as it is what is waited for. */
async function until(look: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await look())) await sleep(10);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function answering(site: Site): Promise<Set<number>> {
  const pids = await Promise.all(Array.from({ length: 40 }, () => site.fetch('/pid')));
  return new Set(pids.map(Number));
}

describe('the option processes', () => {
  const cores = availableParallelism();
  it.each<
    [Parameters<typeof resolveProcesses>[0], string | undefined, number | null, number | undefined]
  >([
    [undefined, undefined, null, undefined],
    [undefined, '', null, undefined],
    [undefined, 'cores', cores, Math.ceil(cores / 2)],
    [undefined, ' 3 ', 3, 2],
    [4, undefined, 4, 2],
    [{ count: 4, minReady: 4 }, undefined, 4, 4],
    [{}, undefined, cores, Math.ceil(cores / 2)],
    [4, '1', 1, 1],
  ])('%j with APP_PROCESSES=%s is %s processes', (given, variable, count, minReady) => {
    const read = resolveProcesses(given, { APP_PROCESSES: variable });
    expect([read?.count ?? null, read?.minReady]).toEqual([count, minReady]);
  });

  it('is refused with all mistakes', () => {
    const wrong = { count: 0, readyTimeout: 'soon', restrat: {} } as unknown as ProcessesOptions;
    expect(() => resolveProcesses(wrong, { APP_PROCESSES: 'all' })).toThrow(
      expect.objectContaining({
        mistakes: [
          expect.stringContaining('the variable APP_PROCESSES: must be "cores" or a whole number'),
          expect.stringContaining(
            'processes.count: must be "cores" or a whole number from 1 to 256, not 0',
          ),
          expect.stringContaining('processes.readyTimeout: '),
          expect.stringContaining('processes.restrat: '),
        ],
      }),
    );
    expect(() => resolveProcesses({ count: 2, minReady: 3 }, {})).toThrow(
      'processes.minReady: must be at most the number of processes, 2, not 3',
    );
  });
});

describe.each(['runHost', 'runProcesses'])('an app in two processes, by %s', (how) => {
  it('shares one port, and reloads and stops in all of them, with code 0', async () => {
    const site = await started(how);
    await until(async () => (await answering(site)).size === 2);
    site.child.process.kill('SIGHUP');
    await Promise.all([site.child.said('1 reloaded'), site.child.said('2 reloaded')]);
    expect(await site.fetch('/reload')).toBe('reloaded');
    // The answer may come before what they wrote.
    await until(() => site.out().match(/^\d reloaded$/gm)?.length === 4);
    site.child.process.kill('SIGTERM');
    const { code, out, err } = await site.child.ended;
    expect([code, new Set(out.match(/^\d stops$/gm))]).toEqual([
      0,
      new Set(['1 stops', '2 stops']),
    ]);
    // On a busy machine a process may take more than 10 s to start, and its parent says so.
    expect(err.replaceAll(/^hostx: Host is still starting [^{]*\{[^}]*\}\n/gm, '')).toBe('');
    expect(out.match(/migrates|sweeps/g)).toEqual(['migrates', 'sweeps']);
  });

  it('ends with 1 and the reason if a process fails at the start, without a second attempt', async () => {
    const { code, out, err } = await app.run(how, 'bad').ended;
    expect(code).toBe(1);
    expect(err).toContain('startup task migrate: no database');
    expect(err).toContain('hostx: service process 1: exited with code 1 before it was ready');
    expect(out.match(/migrates/g)).toHaveLength(1);
  });
});

describe('an app in several processes', () => {
  it('does not start on a port that another program listens on', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { code, err } = await app.run('runProcesses', 'taken', String(port)).ended;
    expect(code).toBe(1);
    expect(err).toContain(`hostx: http service http: 127.0.0.1, port ${port} is in use`);
    other.close();
  });

  it('loses no request in restarts of all, keeps its processes if a new one fails, and stops as a whole', async () => {
    const marker = join(tmpdir(), `apix-bad-build-${process.pid}`);
    const site = await started('runHost', '', marker);
    const over = new AbortController();
    const failures: string[] = [];
    let answered = 0;
    const clients = Array.from({ length: 12 }, async (_, at) => {
      const agent = at % 2 === 0 ? new Agent({ keepAlive: true, maxSockets: 1 }) : undefined;
      while (!over.signal.aborted) {
        const said = await asked(site.port, at % 3 === 0 ? '/slow' : '/pid', agent);
        if (said === 'slow' || Number(said) > 0) answered += 1;
        else failures.push(said);
        await sleep(5);
      }
      agent?.destroy();
    });
    site.child.process.kill('SIGUSR2');
    await site.child.said('All processes restarted');
    expect(await site.fetch('/restart')).toBe('restarted');
    await until(() => site.out().split('All processes restarted').length === 3);
    over.abort();
    await Promise.all(clients);
    expect(failures).toEqual([]);
    expect(answered).toBeGreaterThan(100);
    expect([site.pids(1), site.pids(2)].map(({ length }) => length)).toEqual([3, 3]);
    expect(site.out().match(/^\d migrates$/gm)).toEqual(['1 migrates', '1 migrates', '1 migrates']);
    // Never in two processes at the same time.
    const steps = site.out().match(/sweeps|swept/g)!;
    expect(steps).toEqual(steps.map((_, at) => (at % 2 === 0 ? 'sweeps' : 'swept')));

    await writeFile(marker, '');
    expect(await site.fetch('/restart')).toBe(
      'hostx: restart: the new process 1 failed, the old processes go on: exited with code 1 before it was ready',
    );
    await rm(marker);
    const seen = new Set<number>();
    await until(async () => {
      for (const pid of await answering(site)) seen.add(pid);
      return seen.size >= 2;
    });
    expect(seen).toEqual(new Set([site.pids(1).at(-1), site.pids(2).at(-1)]));

    const build = await readFile(app.file, 'utf8');
    await writeFile(app.file, build.replace(/return .slow./, "return 'new'"));
    expect(await site.fetch('/slow')).toBe('slow');
    expect(await site.fetch('/restart')).toBe('restarted');
    await until(() => site.out().split('All processes restarted').length === 4);
    await writeFile(app.file, 'throw new Error("this build is broken");');
    expect(await site.fetch('/restart')).toContain('the old processes go on');
    expect(
      new Set(await Promise.all(Array.from({ length: 9 }, () => site.fetch('/slow')))),
    ).toEqual(new Set(['new']));
    await writeFile(app.file, build);

    await site.fetch('/shutdown');
    expect((await site.child.ended).code).toBe(0);
    // Two in each restart, one that failed, and two now.
    expect(site.out().match(/^\d stops$/gm)).toHaveLength(9);
  });

  it('replaces a process that was killed; what is single moves; a second signal ends all at once', async () => {
    const site = await started('runProcesses');
    const [first = 0] = site.pids(1);
    const [second = 0] = site.pids(2);
    await site.child.said('1 sweeps');
    process.kill(first, 'SIGKILL');
    await site.child.said('2 sweeps');
    expect([...(await answering(site))]).toEqual([second]);
    await until(() => site.pids(1).length === 2);
    await until(async () => (await answering(site)).size === 2);
    expect(site.out().match(/^\d sweeps$/gm)).toEqual(['1 sweeps', '2 sweeps']);
    expect(site.out().match(/^\d migrates$/gm)).toEqual(['1 migrates']);
    expect(site.out()).toContain('hostx: service process 1: was ended by SIGKILL');
    const statuses = JSON.parse(await site.fetch('/processes')) as object[];
    const common = { state: 'ready', since: expect.any(Number), rss: expect.any(Number) };
    expect(statuses).toEqual([
      { ...common, index: 1, pid: site.pids(1)[1], restarts: 1, lastEnd: 'was ended by SIGKILL' },
      { ...common, index: 2, pid: second, restarts: 0, lastEnd: null },
    ]);

    void site.fetch('/block');
    await site.child.said('blocks');
    site.child.process.kill('SIGTERM');
    await site.child.said(' stops\n');
    // Signals within a second are one.
    await sleep(1_100);
    site.child.process.kill('SIGINT');
    const { code, err } = await site.child.ended;
    expect(code).toBe(130);
    expect(err).toContain('hostx: Second signal, SIGINT: the process ends at once');
    const pids = [...site.pids(1), ...site.pids(2)];
    await until(() => !pids.some(isAlive));
  });

  it('serves a socket of systemd in all processes', async () => {
    const socket = boundSocket();
    const script = ['LISTEN_PID=$$ exec "$@"', 'sh', process.execPath, app.file, 'runProcesses'];
    const parent = spawn('/bin/sh', ['-c', ...script], {
      env: { ...process.env, NODE_OPTIONS: '', LISTEN_FDS: '1', LISTEN_FDNAMES: 'http' },
      stdio: ['ignore', 'pipe', 'inherit', socket.fd],
    });
    let out = '';
    parent.stdout!.on('data', (data: Buffer) => (out += String(data)));
    await until(() => /^2 ready/m.test(out));
    expect(out.match(/ready \d+ (\d+)/g)).toHaveLength(2);
    expect(new Set([...out.matchAll(/ready \d+ (\d+)/g)].map(([, port]) => Number(port)))).toEqual(
      new Set([socket.port]),
    );
    const pids = new Set<string>();
    await until(async () => pids.add(await asked(socket.port, '/pid')).size === 2);
    parent.kill('SIGTERM');
    expect(await once(parent, 'exit')).toEqual([0, null]);
    socket.close();
  });

  it('ends with 1 if one of them did not stop in order', async () => {
    const site = await started('runProcesses', 'bad-stop');
    site.child.process.kill('SIGTERM');
    const { code, err } = await site.child.ended;
    expect(code).toBe(1);
    expect(err).toContain('cannot flush');
    expect(err).toContain('hostx: service process 2: stop: exited with code 1');
  });

  it('leaves no process behind when the parent is killed', async () => {
    const site = await started('runProcesses');
    const pids = [...site.pids(1), ...site.pids(2)];
    expect(pids).toHaveLength(2);
    site.child.process.kill('SIGKILL');
    await once(site.child.process, 'exit');
    await until(() => !pids.some(isAlive));
  });
});
