import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { BackupNames } from './backup-name.js';
import { nextBoundary, planRotation } from './rotation.js';

const time = (iso: string): number => Date.parse(iso);
const anyTime = fc.integer({
  min: time('2000-01-01T00:00:00Z'),
  max: time('2100-01-01T00:00:00Z'),
});

describe('rotation by time', () => {
  it.each([
    ['hourly', '2026-11-21T03:59:59.999Z', '2026-11-21T04:00:00.000Z'],
    ['hourly', '2026-11-21T04:00:00.000Z', '2026-11-21T05:00:00.000Z'],
    ['daily', '2026-11-21T23:59:59.999Z', '2026-11-22T00:00:00.000Z'],
    ['daily', '2026-11-22T00:00:00.000Z', '2026-11-23T00:00:00.000Z'],
  ] as const)('%s: after %s comes %s', (every, now, next) => {
    expect(nextBoundary(planRotation({ every }), time(now))).toBe(time(next));
  });

  it('never without an interval', () => {
    expect(nextBoundary(planRotation({}), 0)).toBe(Infinity);
  });

  it('by local time falls on whole local hours and days', () => {
    fc.assert(
      fc.property(anyTime, fc.constantFrom('hourly' as const, 'daily' as const), (now, every) => {
        const next = new Date(nextBoundary(planRotation({ every, localTime: true }), now));
        expect(next.getTime()).toBeGreaterThan(now);
        expect([next.getMinutes(), next.getSeconds(), next.getMilliseconds()]).toEqual([0, 0, 0]);
        expect(next.getTime() - now).toBeLessThanOrEqual(
          every === 'hourly' ? 3_600_000 : 25 * 3_600_000,
        );
        expect(every === 'daily' ? next.getHours() : 0).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe('names of old files', () => {
  it.each([
    ['logs/app.json', 'logs/app-2026-11-21T03-04-05.678.json'],
    ['app', 'app-2026-11-21T03-04-05.678'],
    ['/var/log/a.b.log', '/var/log/a.b-2026-11-21T03-04-05.678.log'],
  ])('of %s are like %s', (path, backup) => {
    expect(new BackupNames(path, false).pathAt(time('2026-11-21T03:04:05.678Z'))).toBe(backup);
  });

  it('read back to the time they were made of, compressed or not, in UTC', () => {
    const names = new BackupNames('logs/app.json', false);
    fc.assert(
      fc.property(anyTime, (at) => {
        const fileName = names.pathAt(at).replace('logs/', '');
        expect(names.parse(fileName)).toEqual({ time: at, compressed: false });
        expect(names.parse(`${fileName}.gz`)).toEqual({ time: at, compressed: true });
      }),
    );
  });

  it.each([
    'app.json',
    'app-.json',
    'app-notes.json',
    'app-2026-11-21T03-04-05.678.txt',
    'app-2026-13-21T03-04-05.678.json',
    'other-2026-11-21T03-04-05.678.json',
    'app-2026-11-21T03-04-05.678.json.gz.tmp',
  ])('leave %s alone', (fileName) => {
    expect(new BackupNames('app.json', false).parse(fileName)).toBeUndefined();
  });
});
