import { execFileSync } from 'node:child_process';
import { constants } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Program, program } from '../../../../tools/testing/program.js';
import { HAS_TERMINALS, atTerminal } from '../../../../tools/testing/terminal.js';

let app: Program;
beforeAll(async () => {
  app = await program(new URL('./process.fixture.ts', import.meta.url));
});
afterAll(() => app.remove());

describe('a process under runHost', () => {
  it('stops in order on SIGTERM, whatever enableShutdownHooks would have done', async () => {
    const child = app.run('runHost');
    await child.said('ready');
    child.process.kill('SIGTERM');
    expect(await child.ended).toEqual({
      code: 0,
      signal: null,
      out: 'ready\nworker stopped\ndestroyed\nrun resolved\n',
      err: '',
    });
  });

  it('reloads on SIGHUP, which Nest would have taken for the end', async () => {
    const child = app.run('runHost');
    await child.said('ready');
    child.process.kill('SIGHUP');
    await child.said('reloaded');
    child.process.kill('SIGTERM');
    expect((await child.ended).code).toBe(0);
  });

  it('ends although a timer of the app holds it', async () => {
    const child = app.run('linger');
    await child.said('ready');
    child.process.kill('SIGTERM');
    expect(await child.ended).toMatchObject({
      code: 0,
      out: 'ready\nworker stopped\ndestroyed\nrun resolved\n',
    });
  });

  it.each([
    ['uncaught', 'hostx: uncaught exception: boom'],
    ['fails', 'hostx: service worker: boom'],
  ])('stops in order and ends with 1 and the error: %s', async (scenario, message) => {
    const { code, out, err } = await app.run(scenario).ended;
    expect(code).toBe(1);
    expect(out).toBe('ready\nworker stopped\ndestroyed\n');
    expect(err).toContain(message);
  });
});

(HAS_TERMINALS ? describe : describe.skip)('a process whose terminal is closed', () => {
  it.each([
    ['runHost', 'ready\nworker stopped\ndestroyed\nrun resolved\n'],
    ['caught-held', 'ready\nworker stopped\ndestroyed\nrun resolved\n'],
    ['plain', 'ready\nworker stopped\n'],
    ['plain-hooks', 'ready\nworker stopped\n'],
  ])('stops in order, and ends by the signal: %s', async (scenario, told) => {
    const terminal = atTerminal(app.file, `terminal-${scenario}`);
    await terminal.shows('ready');
    terminal.close();
    expect(await terminal.ended).toEqual({ status: 128 + constants.signals.SIGHUP, told });
  });
});

describe('literals that outlive collections', () => {
  const said = 'pretenuring: AllocationSite';
  const afterStart = (scenario: string, ...flags: string[]): string => {
    const args = ['--trace-pretenuring-statistics', ...flags, app.file, scenario];
    return execFileSync(process.execPath, args, { encoding: 'utf8' }).split('ready')[1]!;
  };

  it('are not taken for lasting ones under runHost', () => {
    expect(afterStart('keeps-shutdown')).not.toContain(said);
  });

  it.each([
    ['without it', 'plain-keeps-shutdown'],
    ['where the command line decides', 'keeps-shutdown', '--allocation-site-pretenuring'],
  ])('are %s', (_where, scenario, ...flags) => {
    expect(afterStart(scenario, ...flags)).toContain(said);
  });
});

describe('the error of a service on stderr', () => {
  it.each(['fails', 'plain-fails', 'plain-hooks-fails', 'plain-exit-fails'])(
    'has the frames of the app and of its cause, where nothing is logged: %s',
    async (scenario) => {
      const { err } = await app.run(scenario).ended;
      expect(err).toMatch(/hostx: service worker: boom[^]*? at failure \(/);
      expect(err).toMatch(/disk full\n +at failure \(/);
    },
  );
});

describe('a stopped host that something holds', () => {
  it.each([
    ['held-shutdown', 0, 'ready\nworker stopped\ndestroyed\nrun resolved\n'],
    ['caught-held-fails', 1, 'ready\nworker stopped\ndestroyed\ncaught\nrun resolved\n'],
    ['caught-held-refused', 1, 'destroyed\ncaught\nrun resolved\n'],
    ['caught-fails', 1, 'ready\nworker stopped\ndestroyed\ncaught\nrun resolved\n'],
    ['plain-held-shutdown', 0, 'ready\nworker stopped\ndestroyed\n'],
    ['plain-held-fails', 1, 'ready\nworker stopped\ndestroyed\n'],
  ])('does not stay as a process: %s', async (scenario, code, out) => {
    expect(await app.run(scenario).ended).toMatchObject({ code, out, signal: null });
  });

  it('is left alone after the app.close() of a plain main', async () => {
    const { code, out } = await app.run('plain-closed-held').ended;
    expect(out).toContain('closed\nstill there\n');
    expect(code).toBe(7);
  });

  it.each([
    'testing-held-shutdown',
    'testing-held-fails',
    'startHost-held-shutdown',
    'startHost-held-fails',
    'runContext-held-shutdown',
    'runContext-held-fails',
    // One that fails is a worker with a main of its own: docs/decisions/0051.
    'context-held-shutdown',
  ])('is left alone where the process is not its own: %s', async (scenario) => {
    const { code, out } = await app.run(scenario).ended;
    expect([code, out.endsWith('still there\n')]).toEqual([7, true]);
  });
});

describe('a port that is taken', () => {
  it.each([
    ['taken', ['Host']],
    // The first is Nest's own line.
    ['taken-plain', ['NestApplication', 'Host']],
  ])('is told once by the host: %s', async (scenario, contexts) => {
    const { code, err } = await app.run(scenario).ended;
    expect(code).toBe(1);
    const lines = err.split('\n').filter((line) => line.includes('ERROR'));
    expect(lines.map((line) => /\[([A-Za-z]+)\][^\]]*in use/.exec(line)?.[1])).toEqual(contexts);
  });
});

describe('a process with a plain main', () => {
  it.each([
    ['plain-hooks', 'ready\nworker stopped\ndestroyed\n'],
    ['plain', 'ready\nworker stopped\n'],
  ])('%s: services stop on SIGTERM, before what Nest does', async (scenario, out) => {
    const child = app.run(scenario);
    await child.said('ready');
    child.process.kill('SIGTERM');
    expect(await child.ended).toMatchObject({ out, signal: 'SIGTERM' });
  });

  it('script: ends by itself when its jobs are done', async () => {
    expect(await app.run('script').ended).toMatchObject({ code: 0, signal: null, out: 'ready\n' });
  });

  it('jobs: waits for the jobs of an application context on SIGTERM', async () => {
    const child = app.run('jobs');
    await child.said('ready');
    child.process.kill('SIGTERM');
    expect(await child.ended).toMatchObject({ out: 'ready\njob done\n', signal: 'SIGTERM' });
  });

  it.each(['plain', 'plain-hooks', 'plain-exit'])(
    '%s: reloads on SIGHUP, which Nest would have taken for the end',
    async (scenario) => {
      const child = app.run(scenario);
      await child.said('ready');
      child.process.kill('SIGHUP');
      await child.said('reloaded');
      child.process.kill('SIGHUP');
      await child.said('reloaded\nreloaded');
      child.process.kill('SIGTERM');
      expect((await child.ended).out).toContain('worker stopped');
    },
  );

  it.each(['plain-abandoned', 'plain-hooks-abandoned', 'plain-exit-abandoned'])(
    '%s: ends with 1 where a service does not stop',
    async (scenario) => {
      const child = app.run(scenario);
      await child.said('ready');
      child.process.kill('SIGTERM');
      expect(await child.ended).toMatchObject({ code: 1, signal: null, out: 'ready\ndestroyed\n' });
    },
  );

  it('plain-hooks: stops in order on SIGQUIT', async () => {
    const child = app.run('plain-hooks');
    await child.said('ready');
    child.process.kill('SIGQUIT');
    expect(await child.ended).toMatchObject({
      signal: 'SIGQUIT',
      out: 'ready\nworker stopped\ndestroyed\n',
    });
  });

  it.each([
    ['plain-fails', 'hostx: service worker: boom', 'destroyed\n'],
    ['plain-uncaught', 'hostx: uncaught exception: boom', 'destroyed\n'],
    ['plain-hooks-fails', 'hostx: service worker: boom', 'destroyed\n'],
    ['late-plain-hooks-fails', 'hostx: service worker: boom', 'destroyed\n'],
    ['plain-hooks-uncaught', 'hostx: uncaught exception: boom', 'destroyed\n'],
    ['plain-exit-fails', 'hostx: service worker: boom', 'destroyed\n'],
  ])('%s: stops in order, and ends with 1 and the error', async (scenario, message, after) => {
    const { code, out, err } = await app.run(scenario).ended;
    expect(code).toBe(1);
    expect(out).toBe(`ready\nworker stopped\n${after}`);
    expect(err).toContain(message);
  });
});
