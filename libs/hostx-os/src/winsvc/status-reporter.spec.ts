import { fakeClock } from '@apix/contracts/testing';
import { describe, expect, it } from '@jest/globals';
import { type WindowsServiceStatus, STATE } from './service-control.js';
import { StatusReporter } from './status-reporter.js';

describe('the status of a service', () => {
  it('shows that a pending state goes on by its checkpoints, and then rests', async () => {
    const clock = fakeClock();
    const reports: WindowsServiceStatus[] = [];
    const reporter = new StatusReporter((status) => reports.push(status), clock);
    reporter.starting();
    await clock.advance(2_000);
    reporter.running();
    await clock.advance(60_000);
    reporter.stopping(20_000);
    await clock.advance(1_000);
    reporter.stopped(1);
    await clock.advance(60_000);
    expect(
      reports.map(({ dwCurrentState, dwCheckPoint, dwWaitHint, dwControlsAccepted }) => [
        dwCurrentState,
        dwCheckPoint,
        dwWaitHint,
        dwControlsAccepted,
      ]),
    ).toEqual([
      [STATE.START_PENDING, 1, 60_000, 0],
      [STATE.START_PENDING, 2, 60_000, 0],
      [STATE.START_PENDING, 3, 60_000, 0],
      [STATE.RUNNING, 0, 0, 13],
      [STATE.STOP_PENDING, 1, 20_000, 0],
      [STATE.STOP_PENDING, 2, 20_000, 0],
      [STATE.STOPPED, 0, 0, 0],
    ]);
  });

  it('shows no more that a start goes on once its limit is over, but that a stop does', async () => {
    const clock = fakeClock();
    let reports = 0;
    const reporter = new StatusReporter(() => (reports += 1), clock);
    reporter.starting(5_000);
    await clock.advance(60_000);
    expect(reports).toBe(5);
    reporter.stopping(20_000);
    await clock.advance(10_000);
    expect(reports).toBe(16);
  });

  it.each([
    [0, 0],
    [3, 1_066],
  ])('gives the exit code %d as the Windows code %d', (exitCode, code) => {
    const reports: WindowsServiceStatus[] = [];
    new StatusReporter((status) => reports.push(status), fakeClock()).stopped(exitCode);
    expect(reports).toEqual([
      expect.objectContaining({ dwWin32ExitCode: code, dwServiceSpecificExitCode: exitCode }),
    ]);
  });
});
