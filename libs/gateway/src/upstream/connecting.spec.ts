import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Metadata } from '@grpc/grpc-js';
import { describe, expect, it } from '@jest/globals';
import { freePort } from '../../../../tools/testing/free-port.js';
import { transcodingRegistry } from '../fixtures/echo-server.fixture.js';
import { Connecting } from './connecting.js';
import { networkUpstream } from './network-upstream.js';
import type { Upstream } from './upstream.js';

const METHOD = transcodingRegistry().method('transcoding.v1.EchoService/Query')!;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** A connection whose attempts end when they are told to. */
function attempts() {
  const waiting: ((error?: Error) => void)[] = [];
  const connecting = new Connecting({ whenReady: (_, done) => void waiting.push(done) }, 1_000);
  const givenUp: string[] = [];
  const call = (name: string) => ({ giveUp: () => void givenUp.push(name) });
  return { connecting, waiting, givenUp, call };
}

function call(upstream: Upstream): Promise<unknown> {
  return new Promise((resolve) => {
    const head = { method: METHOD, fullName: '/a/B', metadata: new Metadata(), timeoutMs: 30_000 };
    const made = upstream.open(head, {
      onHeaders: () => {},
      onMessage: () => {},
      onEnd: ({ status }) => resolve(status.code),
    });
    made.halfClose();
    made.read();
  });
}

describe('calls that wait for a connection', () => {
  it('end with the attempt that fails, those that came later with the next one', () => {
    const { connecting, waiting, givenUp, call: waitingCall } = attempts();
    connecting.add(waitingCall('a'));
    connecting.add(waitingCall('b'));
    expect(waiting).toHaveLength(1);
    waiting[0]!(new Error('no'));
    expect(givenUp).toEqual(['a', 'b']);
    connecting.add(waitingCall('c'));
    waiting[1]!();
    expect(givenUp).toEqual(['a', 'b']);
  });

  it('are not kept once they have ended, and no second attempt is made for the next one', () => {
    const { connecting, waiting, givenUp, call: waitingCall } = attempts();
    const ended = waitingCall('ended');
    connecting.add(ended);
    expect([connecting.remove(ended), connecting.remove(ended)]).toEqual([true, false]);
    connecting.add(waitingCall('next'));
    expect(waiting).toHaveLength(1);
    waiting[0]!(new Error('no'));
    expect(givenUp).toEqual(['next']);
  });

  it('leave no memory behind where all connections are refused', async () => {
    const upstream = networkUpstream({ endpoint: `127.0.0.1:${await freePort()}` });
    await call(upstream);
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let round = 0; round < 20; round += 1) {
      await Promise.all(Array.from({ length: 500 }, () => call(upstream)));
    }
    collect();
    // They took 33 MB until the attempt had its 20 s.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(10_000_000);
    upstream.close();
  });
});
