import { describe, expect, it } from '@jest/globals';
import { fakeClock } from '@apix/contracts/testing';
import type { HostLogger } from '../log/host-logger.js';
import { render } from '../log/template.js';
import { probeService } from '../testing/probe-service.js';
import type { ShutdownOptions } from './host-handle.js';
import { builderOf, ending } from './host.fixture.js';

/** What a host logs that is shut down, whose service serves on for so long; null: it serves nothing. */
async function loggedBy(delayMs: number | null, options?: ShutdownOptions): Promise<string[]> {
  const clock = fakeClock();
  const lines: string[] = [];
  const logger: HostLogger = {
    information: (template, ...args) => void lines.push(render(template, args).message),
    warning: () => {},
    error: () => {},
  };
  const drains = delayMs === null ? {} : { beginDrain: () => delayMs };
  const host = builderOf(clock)
    .withEnvironment('Production')
    .withLogger(logger)
    .withShutdownTimeout('10s')
    .addService(probeService('web', [], drains))
    .build();
  const run = ending(host.runContext());
  await host.started;
  host.shutdown('SIGTERM', options);
  await clock.advance(20_000);
  await run;
  return lines.filter((line) => line.startsWith('Host is stopping'));
}

const AT_ONCE: ShutdownOptions = { withoutDelay: 'SIGINT from a terminal' };
const UNTIL_REMOVED = 'so that load balancers can remove it';

describe('a host that stops', () => {
  it.each<[string, number | null, ShutdownOptions | undefined, string]>([
    [
      'for how long it serves on',
      700,
      undefined,
      `; it keeps serving for 700 ms, ${UNTIL_REMOVED}`,
    ],
    [
      'that this is half of its time at most',
      9_000,
      undefined,
      `; it keeps serving for 5000 ms, ${UNTIL_REMOVED}`,
    ],
    ['why it does not serve on', 0, AT_ONCE, '; without a drain delay: SIGINT from a terminal'],
    ['no more where nothing would have waited', 0, undefined, ''],
    ['no more where it serves nothing', null, AT_ONCE, ''],
  ])('says %s', async (_, delayMs, options, more) => {
    expect(await loggedBy(delayMs, options)).toEqual([`Host is stopping: SIGTERM${more}`]);
  });
});
