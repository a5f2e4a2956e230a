import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bundleScript } from '../../../../tools/testing/bundle-script.js';

const source = new URL('./', import.meta.url).pathname;

/** A zone is the process's own, so each is asked in one that has it. */
describe('local times of files', () => {
  let directory: string;

  beforeAll(async () => {
    directory = fs.mkdtempSync(join(os.tmpdir(), 'logx-zones-'));
    const entry = join(directory, 'entry.ts');
    fs.writeFileSync(
      entry,
      `import { BackupNames } from '${join(source, 'backup-name.js')}';
       import { nextBoundary, planRotation } from '${join(source, 'rotation.js')}';
       const names = new BackupNames('app.json', true);
       const next = (every, at) =>
         new Date(nextBoundary(planRotation({ every, localTime: true }), at)).toISOString();
       console.log(JSON.stringify(process.argv.slice(2).map((iso) => {
         const at = Date.parse(iso);
         const name = names.pathAt(at);
         return { name, back: names.parse(name).time - at, hourly: next('hourly', at), daily: next('daily', at) };
       })));`,
    );
    await bundleScript({ entryPoints: [entry] }, join(directory, 'zones.mjs'));
  });
  afterAll(() => fs.rmSync(directory, { recursive: true, force: true }));

  const askedIn = (zone: string, times: readonly string[]): unknown => {
    const env = { ...process.env, TZ: zone };
    const script = join(directory, 'zones.mjs');
    return JSON.parse(
      execFileSync(process.execPath, [script, ...times], { env, encoding: 'utf8' }),
    );
  };

  it.each<[string, string, string, string, string]>([
    // Half an hour beside the whole ones, and with odd milliseconds.
    [
      'America/St_Johns',
      '2026-11-21T03:04:05.007Z',
      'app-2026-11-20T23-34-05.007.json',
      '2026-11-21T03:30:00.000Z',
      '2026-11-21T03:30:00.000Z',
    ],
    [
      'America/St_Johns',
      '2026-07-01T12:34:56.789Z',
      'app-2026-07-01T10-04-56.789.json',
      '2026-07-01T13:30:00.000Z',
      '2026-07-02T02:30:00.000Z',
    ],
    // The day on which summer time ends has 25 hours.
    [
      'America/St_Johns',
      '2026-11-01T03:00:00.001Z',
      'app-2026-11-01T00-30-00.001.json',
      '2026-11-01T03:30:00.000Z',
      '2026-11-02T03:30:00.000Z',
    ],
    // The day on which it begins has 23.
    [
      'America/St_Johns',
      '2026-03-08T04:00:00.999Z',
      'app-2026-03-08T00-30-00.999.json',
      '2026-03-08T04:30:00.000Z',
      '2026-03-09T02:30:00.000Z',
    ],
    [
      'Asia/Kathmandu',
      '2026-11-21T18:14:59.999Z',
      'app-2026-11-21T23-59-59.999.json',
      '2026-11-21T18:15:00.000Z',
      '2026-11-21T18:15:00.000Z',
    ],
    [
      'UTC',
      '2026-11-21T03:04:05.678Z',
      'app-2026-11-21T03-04-05.678.json',
      '2026-11-21T04:00:00.000Z',
      '2026-11-22T00:00:00.000Z',
    ],
  ])('are those of %s at %s', (zone, at, name, hourly, daily) => {
    expect(askedIn(zone, [at])).toEqual([{ name, back: 0, hourly, daily }]);
  });
});
