import { Channel, credentials } from '@grpc/grpc-js';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { freePort } from '../../../../tools/testing/free-port.js';
import { Readiness, type ReadyOutcome } from './readiness.js';
import { silentServer } from './silent-server.fixture.js';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

function readinessOf(endpoint: string): { channel: Channel; readiness: Readiness } {
  const options = { 'grpc.use_local_subchannel_pool': 1 };
  const channel = new Channel(endpoint, credentials.createInsecure(), options);
  ends.push(() => channel.close());
  return { channel, readiness: new Readiness(channel) };
}

function outcomeOf(readiness: Readiness, deadline: number): Promise<ReadyOutcome> {
  return new Promise((done) => readiness.wait({ deadline, holdsProcess: true, done }));
}

describe('a wait for a connection', () => {
  it('ends when there is one, also for those that come later', async () => {
    const server = await silentServer();
    ends.push(server.close);
    const { readiness } = readinessOf(server.endpoint);
    const first = [outcomeOf(readiness, Infinity), outcomeOf(readiness, Date.now() + 20_000)];
    expect(await Promise.all(first)).toEqual(['ready', 'ready']);
    expect(await outcomeOf(readiness, Infinity)).toBe('ready');
    expect(server.sessions).toHaveLength(1);
  });

  it('ends as late if there is no connection at its deadline', async () => {
    const { readiness } = readinessOf(`127.0.0.1:${await freePort()}`);
    expect(await outcomeOf(readiness, Date.now() + 50)).toBe('late');
    expect(await outcomeOf(readiness, Date.now() - 50)).toBe('late');
  });

  it('ends with the channel, which it does not open again', async () => {
    const { channel, readiness } = readinessOf(`127.0.0.1:${await freePort()}`);
    const outcome = outcomeOf(readiness, Infinity);
    channel.close();
    expect(await outcome).toBe('closed');
    expect(await outcomeOf(readiness, Infinity)).toBe('closed');
  });

  it('without a deadline has no end of its own', () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
    try {
      const { readiness } = readinessOf('127.0.0.1:1');
      const told: ReadyOutcome[] = [];
      readiness.wait({ deadline: Infinity, done: (outcome) => void told.push(outcome) });
      const day = 24 * 60 * 60 * 1_000;
      jest.advanceTimersByTime(25 * day);
      expect(told).toEqual([]);
    } finally {
      jest.useRealTimers();
    }
  });

  it('holds the process only as long as it lasts, and where it is told to', () => {
    const { readiness } = readinessOf('127.0.0.1:1');
    const held = (): number =>
      process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const before = held();
    const wait = { deadline: Date.now() + 60_000, done: () => {} };
    const [idle, busy] = [readiness.wait(wait), readiness.wait({ ...wait, holdsProcess: true })];
    expect(held()).toBe(before + 1);
    busy();
    idle();
    expect(held()).toBe(before);
  });

  it('calls no callback of a wait that was stopped', async () => {
    const { channel, readiness } = readinessOf(`127.0.0.1:${await freePort()}`);
    const told: ReadyOutcome[] = [];
    const stop = readiness.wait({ deadline: Infinity, done: (outcome) => void told.push(outcome) });
    const other = outcomeOf(readiness, Infinity);
    stop();
    channel.close();
    await other;
    expect(told).toEqual([]);
  });
});
