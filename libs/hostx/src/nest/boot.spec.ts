import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HAS_NAMESPACES } from '../../../../tools/testing/first-process.js';
import { type Child, type Program, program } from '../../../../tools/testing/program.js';

let app: Program;
beforeAll(async () => {
  app = await program(new URL('./boot.fixture.ts', import.meta.url));
});
afterAll(() => app.remove());

/** How a process ends that gets SIGTERM at the slow place of its start; its status as shells tell it. */
async function endOf(child: Child) {
  await child.said('begun');
  child.kill('SIGTERM');
  const { code, signal, out } = await child.ended;
  return { end: signal === 'SIGTERM' ? 143 : code, told: out.trim().split('\n').join(', ') };
}

const RUN_HOST = {
  import: 'begun, done, destroyed, log closed, run resolved',
  options: 'begun, done, destroyed, log closed, run resolved',
  factory: 'begun, done, destroyed, log closed, run resolved',
  configure: 'begun, done, destroyed, log closed, run resolved',
  task: 'begun, done, destroyed, log closed, run resolved',
  init: 'begun, done, destroyed, log closed, run resolved',
  service: 'begun, worker stopped, destroyed, log closed, run resolved',
};

describe('SIGTERM under runHost', () => {
  it.each(Object.entries(RUN_HOST))(
    'stops in order what there is, where something else listens, during: %s',
    async (place, told) => {
      const { end, told: all } = await endOf(app.run('runHost', place, 'listener'));
      expect([end, all]).toEqual([0, told.replace('begun', 'begun, spans sent')]);
    },
  );

  it('does so where nothing else listens', async () => {
    const { factory } = RUN_HOST;
    expect(await endOf(app.run('runHost', 'factory'))).toEqual({ end: 0, told: factory });
  });
});

const PLAIN = {
  'plain options': 'begun, done, destroyed, log closed',
  'plain factory': 'begun, done, destroyed, log closed',
  'plain init': 'begun, done, destroyed, log closed',
  'plain service': 'begun, worker stopped, log closed',
  'uninitialised factory': 'begun, done, destroyed, log closed',
  'plain-hooks factory': 'begun, done, destroyed, log closed',
  'context init': 'begun, done, destroyed, log closed',
  'microservice init': 'begun, done, destroyed, log closed',
};

describe('SIGTERM in a plain main', () => {
  it.each(Object.entries(PLAIN))(
    'ends the process in order, where something else listens, during: %s',
    async (start, told) => {
      const { end, told: all } = await endOf(app.run(...start.split(' '), 'listener'));
      expect([end, all]).toEqual([143, told.replace('begun', 'begun, spans sent')]);
    },
  );

  it('does so where nothing else listens', async () => {
    const told = PLAIN['plain factory'];
    expect(await endOf(app.run('plain', 'factory'))).toEqual({ end: 143, told });
  });
});

(HAS_NAMESPACES ? describe : describe.skip)('SIGTERM to process 1 of a container', () => {
  it.each(Object.entries(RUN_HOST))('under runHost during: %s', async (place, told) => {
    expect(await endOf(app.runFirst('runHost', place))).toEqual({ end: 0, told });
  });

  it.each(Object.entries(PLAIN))('in a plain main during: %s', async (start, told) => {
    expect(await endOf(app.runFirst(...start.split(' ')))).toEqual({ end: 143, told });
  });

  it.each(['plain', 'plain-hooks'])('in a running app: %s', async (main) => {
    const child = app.runFirst(main);
    await child.said('listens');
    child.kill('SIGTERM');
    expect((await child.ended).code).toBe(143);
  });
});

describe('a start that hangs', () => {
  it.each(['runHost factory', 'runHost import'])(
    'ends at the shutdown timeout after a signal, with 1: %s',
    async (start) => {
      const child = app.run(...start.split(' '), 'hangs', 'listener');
      await child.said('begun');
      child.kill('SIGTERM');
      const { code, err } = await child.ended;
      expect(code).toBe(1);
      expect(err).toContain(
        'hostx: SIGTERM came while the app was being created, and that did not end within 300 ms',
      );
    },
  );

  it.each(['runHost factory', 'plain factory'])(
    'ends at once by a second signal: %s',
    async (start) => {
      const child = app.run(...start.split(' '), 'hangs');
      await child.said('begun');
      child.kill('SIGTERM');
      setTimeout(() => child.kill('SIGTERM'), 1_100);
      expect((await child.ended).code).not.toBe(0);
    },
  );
});

describe('SIGHUP during the start', () => {
  it.each(['runHost factory', 'runHost task', 'plain factory', 'plain init'])(
    'reloads once the host runs: %s',
    async (start) => {
      const child = app.run(...start.split(' '));
      await child.said('begun');
      child.kill('SIGHUP');
      await child.said('ready');
      await child.said('reloaded');
      child.kill('SIGTERM');
      const { out } = await child.ended;
      expect(out.match(/reloaded/g)).toHaveLength(1);
    },
  );
});

describe('a script that uses the providers of an app', () => {
  it('ends by a signal as it did, at once', async () => {
    const { end, told } = await endOf(app.run('script', 'factory'));
    expect([end, told]).toEqual([143, 'begun']);
  });
});
