import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { type Program, program } from '../../../../tools/testing/program.js';

let host: Program;
beforeAll(async () => {
  host = await program(new URL('./process.fixture.ts', import.meta.url));
});
afterAll(() => host.remove());

describe('a process under run()', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'rule 1: shutdown is triggered by %s; it stops in order and ends with 0',
    async (signal) => {
      const child = host.run('plain');
      await child.said('ready');
      child.process.kill(signal);
      expect(await child.ended).toEqual({
        code: 0,
        signal: null,
        out: 'ready\nworker stopped\nall stopped\nrun resolved\n',
        err: '',
      });
    },
  );

  it('stops many services side by side without a warning of Node', async () => {
    const child = host.run('many');
    await child.said('ready');
    child.process.kill('SIGTERM');
    expect(await child.ended).toMatchObject({ code: 0, err: '' });
  });

  it('rule 11: SIGHUP reloads, and it goes on', async () => {
    const child = host.run('plain');
    await child.said('ready');
    child.process.kill('SIGHUP');
    await child.said('reloaded');
    child.process.kill('SIGTERM');
    expect((await child.ended).code).toBe(0);
  });

  it('takes signals repeated within a second as one', async () => {
    const child = host.run('slow');
    await child.said('ready');
    child.process.kill('SIGTERM');
    await wait(100);
    child.process.kill('SIGTERM');
    child.process.kill('SIGINT');
    expect(await child.ended).toMatchObject({ code: 0, signal: null });
  });

  it('ends at once on a second SIGTERM, and says what it did not wait for', async () => {
    const child = host.run('stuck');
    await child.said('ready');
    child.process.kill('SIGTERM');
    await wait(1_100);
    expect(child.process.exitCode).toBeNull();
    child.process.kill('SIGTERM');
    const { code, out, err } = await child.ended;
    expect([code, out]).toEqual([143, 'ready\n']);
    expect(err).toContain(
      'Second signal, SIGTERM: the process ends at once, without waiting for ' +
        'service worker (ready), service stuck (stopping)',
    );
  });

  it('rule 10: ends although an abandoned service holds it, and names the service', async () => {
    const child = host.run('abandoned');
    await child.said('ready');
    child.process.kill('SIGTERM');
    const { code, out, err } = await child.ended;
    expect(code).toBe(1);
    expect(out).toBe('ready\nworker stopped\nall stopped\n');
    expect(err).toMatch(/hostx: service stuck: did not stop within \d+ ms; abandoned/);
  });

  it('ends with 1 by itself where an app has caught that, and something still holds it', async () => {
    const child = host.run('caught');
    await child.said('ready');
    child.process.kill('SIGTERM');
    const { code, out, err } = await child.ended;
    expect([code, err]).toEqual([1, '']);
    expect(out).toMatch(
      /all stopped\ncaught: hostx: service stuck: did not stop within \d+ ms; abandoned\nrun resolved\n$/,
    );
  });

  it.each([
    ['exception', 'hostx: uncaught exception: boom'],
    ['rejection', 'hostx: unhandled rejection: boom'],
  ])('stops in order on an uncaught %s and ends with 1 and its error', async (scenario, text) => {
    const { code, out, err } = await host.run(scenario).ended;
    expect(code).toBe(1);
    expect(out).toBe('ready\nworker stopped\nall stopped\n');
    expect(err).toContain(text);
  });

  it('ends with 1, and does not turn in circles, where nobody reads its output any more', () => {
    // Node writes to a pipe at once, and a reader in Node would be a socket.
    const program = `{ '${process.execPath}' '${host.file}' unread; echo "ended with $?" >&3; }`;
    const { stdout } = spawnSync('sh', ['-c', `{ ${program} | head -n 1 >&2; } 3>&1`], {
      encoding: 'utf8',
      timeout: 10_000,
      killSignal: 'SIGKILL',
    });
    expect(stdout).toBe('ended with 1\n');
  });

  it('goes on after an uncaught exception under the policy report', async () => {
    const child = host.run('reported');
    await child.said('still there');
    child.process.kill('SIGTERM');
    const { code, err } = await child.ended;
    expect(code).toBe(0);
    expect(err).toContain('hostx: uncaught exception: boom');
  });

  it('stops everything although an abort listener panics, and says so', async () => {
    const child = host.run('abortListener');
    await child.said('ready');
    child.process.kill('SIGTERM');
    const { code, out, err } = await child.ended;
    expect(code).toBe(1);
    expect(out).toBe('ready\nworker stopped\nall stopped\n');
    expect(err).toContain('boom');
  });
});
