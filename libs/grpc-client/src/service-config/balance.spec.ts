import { status } from '@grpc/grpc-js';
import { describe, expect, it } from '@jest/globals';
import { type ClientInit, channelOf } from '../client/create-client.js';
import { type ProbeService, probeClient, serveProbe } from '../client/probe-service.fixture.js';
import type { ProbeServer } from '../client/probe-service.fixture.js';

/** Servers that answer with their number, or fail where it says so. */
async function servers(...fails: readonly boolean[]): Promise<readonly ProbeServer[]> {
  return Promise.all(
    fails.map((isBroken, place) =>
      serveProbe({
        Unary: (_call, respond) =>
          isBroken
            ? respond({ code: status.INTERNAL, details: 'broken' })
            : respond(null, { int32Value: place }),
      }),
    ),
  );
}

function clientOf(all: readonly ProbeServer[], init: ClientInit<ProbeService>) {
  const endpoint = `ipv4:${all.map((each) => each.endpoint).join(',')}`;
  return probeClient(all[0]!, 'network', { endpoint, ...init });
}

describe('the calls of a client', () => {
  it.each<[string, ClientInit<ProbeService>, number]>([
    ['to one address', {}, 1],
    ['to one address', { balance: 'pick_first' }, 1],
    ['to all addresses in turn', { balance: 'round_robin' }, 3],
    ['to all addresses in turn', { balance: {} }, 3],
  ])('go %s (%j)', async (_, init, count) => {
    const client = clientOf(await servers(false, false, false), init);
    await channelOf(client).waitForReady('30s');
    const seen = new Set<number>();
    // round_robin begins with the connections that there are.
    while (seen.size < count) seen.add((await client.unary({})).int32Value);
    for (let call = 0; call < 9; call++) seen.add((await client.unary({})).int32Value);
    expect(seen.size).toBe(count);
  });

  it('leave an address out that fails more than others', async () => {
    const client = clientOf(await servers(true, false, false), {
      balance: {
        outlierDetection: {
          interval: '50ms',
          maxEjectionPercent: 50,
          failures: { percent: 50, minHosts: 2, minCalls: 2 },
        },
      },
      timeout: '30s',
    });
    let before = 0;
    for (let well = 0; well < 30;) {
      const failed = await client.unary({}).then(
        () => false,
        () => true,
      );
      before += Number(failed);
      well = failed ? 0 : well + 1;
    }
    expect(before).toBeGreaterThan(0);
  });
});
