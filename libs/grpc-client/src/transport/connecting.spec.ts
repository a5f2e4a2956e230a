import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { freePort } from '../../../../tools/testing/free-port.js';
import { Connecting, type WaitingCall } from './connecting.js';
import { callOver, plainTransport } from './probe-call.fixture.js';
import type { ReadyWait } from './readiness.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** A connection whose attempts end when they are told to. */
function attempts() {
  const waiting: ReadyWait[] = [];
  const stopped: ReadyWait[] = [];
  const whenReady = (wait: ReadyWait) => {
    waiting.push(wait);
    return () => void stopped.push(wait);
  };
  const connecting = new Connecting({ whenReady }, 1_000);
  const givenUp: string[] = [];
  const call = (name: string, isPatient = false) => {
    const made: WaitingCall = {
      isPatient,
      giveUp: () => {
        givenUp.push(name);
        connecting.remove(made);
      },
    };
    return made;
  };
  return { connecting, waiting, stopped, givenUp, call };
}

describe('calls that wait for a connection', () => {
  it('end with the attempt that is late, those that came later with the next one', () => {
    const { connecting, waiting, givenUp, call } = attempts();
    connecting.add(call('a'));
    connecting.add(call('b'));
    expect(waiting).toHaveLength(1);
    waiting[0]!.done('late');
    expect(givenUp).toEqual(['a', 'b']);
    connecting.add(call('c'));
    waiting[1]!.done('ready');
    expect(givenUp).toEqual(['a', 'b']);
  });

  it('are not kept once they have ended, and the wait ends with the last of them', () => {
    const { connecting, waiting, stopped, givenUp, call } = attempts();
    const ended = call('ended');
    connecting.add(ended);
    expect([connecting.remove(ended), connecting.remove(ended)]).toEqual([true, false]);
    expect(stopped).toEqual(waiting);
    connecting.add(call('next'));
    waiting[1]!.done('late');
    expect(givenUp).toEqual(['next']);
  });

  it('wait on with waitForReady, and count as waiting until there is one', () => {
    const { connecting, waiting, givenUp, call } = attempts();
    const patient = call('patient', true);
    connecting.add(patient);
    connecting.add(call('other'));
    waiting[0]!.done('late');
    expect(givenUp).toEqual(['other']);
    expect(waiting).toHaveLength(2);
    waiting[1]!.done('ready');
    expect(connecting.remove(patient)).toBe(false);
  });

  it('all end with a connection that is closed', () => {
    const { connecting, waiting, givenUp, call } = attempts();
    connecting.add(call('patient', true));
    waiting[0]!.done('closed');
    expect(givenUp).toEqual(['patient']);
    expect(waiting).toHaveLength(1);
  });

  it.each(['grpc-js', 'http2'] as const)(
    'leave no memory behind where all connections are refused, over %s',
    async (stack) => {
      const transport = plainTransport(`127.0.0.1:${await freePort()}`, { stack });
      const deadline = Date.now() + 60_000;
      await callOver(transport, { deadline }).ended;
      collect();
      const before = process.memoryUsage().heapUsed;
      for (let round = 0; round < 20; round += 1) {
        const calls = Array.from({ length: 500 }, () => callOver(transport, { deadline }).ended);
        await Promise.all(calls);
      }
      collect();
      // They took 33 MB until the attempt had its 20 s.
      expect(process.memoryUsage().heapUsed - before).toBeLessThan(10_000_000);
      transport.close();
    },
    60_000,
  );
});
