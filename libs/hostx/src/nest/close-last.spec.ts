import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Program, program } from '../../../../tools/testing/program.js';

let app: Program;
beforeAll(async () => {
  app = await program(new URL('./close-last.fixture.ts', import.meta.url));
});
afterAll(() => app.remove());

describe("closeLast under Nest's own shutdown hooks", () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'is called for each, one after the other, when all else has stopped: %s',
    async (signal) => {
      const child = app.run();
      await child.said('ready');
      child.process.kill(signal);
      const { out } = await child.ended;
      const lines = out.trimEnd().split('\n');
      const closing = ['log closed', 'lock freed'];
      expect(lines.slice(0, 3)).toEqual(['ready', 'worker stopped', 'stopped hook']);
      expect(lines.filter((line) => closing.includes(line))).toEqual(closing);
      for (const earlier of ['worker stopped', 'stopped hook', 'destroyed']) {
        expect(lines.indexOf(earlier)).toBeLessThan(lines.indexOf('log closed'));
      }
    },
  );

  it('is called for each, also after one that fails, which Nest hears of', async () => {
    const child = app.run('fail');
    await child.said('ready');
    child.process.kill('SIGTERM');
    const { out, err } = await child.ended;
    expect(out).toContain('log closed\nlock freed');
    expect(out + err).toContain('hostx: closer Log: no ink');
  });
});
