import { describe, expect, it } from '@jest/globals';
import { fakeClock } from '@apix/contracts/testing';
import { Host, type HostLogger } from '@apix/hostx/core';
import type { JobOptions } from './job-options.js';
import { every } from './make-job.js';

/** Errors that the host logged while a job ran and failed for an hour. */
async function logged(options: JobOptions, work = fail): Promise<string[]> {
  const clock = fakeClock();
  const lines: string[] = [];
  const logger: HostLogger = {
    information: () => {},
    warning: () => {},
    error: (error, template, ...args) =>
      void lines.push(`${template} | ${args.join(' ')} | ${(error as Error).message}`),
  };
  const job = every('sweep', '20m', work, { clock, ...options });
  const host = Host.builder().withClock(clock).withLogger(logger).addService(job).build();
  const run = host.runContext().catch(() => {});
  await host.started;
  for (let minute = 0; minute < 61; minute += 1) await clock.advance(60_000);
  host.shutdown();
  await run;
  return lines;
}

function fail(): never {
  throw new Error('disk full');
}

describe('a failing job without Nest', () => {
  it('is an error in the log of the host where it has no handler', async () => {
    expect(await logged({})).toEqual(Array(3).fill('Job {Job} failed | sweep | disk full'));
  });

  it('is left to its handler where it has one', async () => {
    const handled: unknown[] = [];
    expect(await logged({ errorHandler: (error) => handled.push(error) })).toEqual([]);
    expect(handled).toHaveLength(3);
  });

  it('is logged once where it stops its service', async () => {
    expect(await logged({ stopOnError: true })).toEqual([
      'Host failed |  | hostx: service sweep: disk full',
    ]);
  });

  it('is logged when a run takes too long', async () => {
    const work = (signal: AbortSignal) =>
      new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      });
    const lines = await logged({ runTimeout: '1m' }, work as never);
    expect(lines[0]).toBe(
      'Job {Job} failed | sweep | cron: job sweep: the run took longer than 1m',
    );
  });

  it('says nothing without a host', async () => {
    const clock = fakeClock();
    const job = every('sweep', '20m', fail, { clock });
    const stopping = new AbortController();
    const ended = job.start(stopping.signal);
    await clock.advance(1_200_000);
    expect(job.status).toMatchObject({ lastRun: { outcome: 'failed' } });
    stopping.abort();
    await ended;
  });
});
