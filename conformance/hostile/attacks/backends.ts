import { setTimeout as sleep } from 'node:timers/promises';
import { httpCall } from '../http-call.js';
import type { Attack } from '../row.js';
import type { Site } from '../site.js';

/** Long enough for a call to be under way. */
const UNDER_WAY_MS = 500;

/** What a client of the gateway behind the relay gets; of a stream also the status at its end. */
async function far(site: Site, path: string): Promise<string> {
  const headers = path.endsWith(':watch') ? { accept: 'text/event-stream' } : {};
  const answer = httpCall(site.far.ports.http, { path, headers });
  return answer.then(
    ({ status, text }) =>
      `${status}${/event: ?status[\s\S]*?"code":"?(\w+)/.exec(text)?.[1] ?? ''}`,
    (error: unknown) => `no answer: ${String(error)}`,
  );
}

/** Runs a call while something happens to the network, which is well again afterwards. */
function calling(path: string, happen: (site: Site) => void, first: boolean): Attack {
  return async (site) => {
    site.relay.restore();
    try {
      if (first) happen(site);
      else await httpCall(site.far.ports.http, { path: '/api/v1/porch/a' });
      const answer = far(site, path);
      await sleep(UNDER_WAY_MS);
      if (!first) happen(site);
      return await answer;
    } finally {
      site.relay.restore();
      await recovered(site);
    }
  };
}

/** The next row finds the gateway with a connection again. */
async function recovered(site: Site): Promise<void> {
  const end = performance.now() + 5_000;
  const isWell = (): Promise<boolean> =>
    httpCall(site.far.ports.http, { path: '/api/v1/porch/a' }).then(
      ({ status }) => status === 200,
      () => false,
    );
  while (!(await isWell()) && performance.now() < end) await sleep(200);
}

export const killedBackend = calling('/api/v1/porch:wait', ({ relay }) => relay.kill(), false);
export const killedStream = calling('/api/v1/porch:watch', ({ relay }) => relay.kill(), false);
export const muteBackend = calling('/api/v1/porch:wait', ({ relay }) => relay.mute(), true);
export const muteStream = calling('/api/v1/porch:watch', ({ relay }) => relay.mute(), true);
export const frozenBackend = calling('/api/v1/porch:wait', ({ relay }) => relay.freeze(), false);
