import { describe, expect, it } from '@jest/globals';
import { intakeOf } from './intake.js';

/** The server of Redis as far as its intake uses it; `npm run conformance:background` has a real one. */
function redisServer(status: string) {
  const calls: string[] = [];
  const subscriber = {
    status,
    unsubscribe: async () => void calls.push('unsubscribe'),
    punsubscribe: async () => void calls.push('punsubscribe'),
  };
  const server = { transportId: 1, unwrap: () => [{}, subscriber] };
  return { calls, intake: intakeOf(server as never) };
}

describe('the intake of a server of Redis', () => {
  it('stops by leaving all of its channels', async () => {
    const { calls, intake } = redisServer('ready');
    await intake.stop();
    expect(calls).toEqual(['unsubscribe', 'punsubscribe']);
  });

  it('does not wait for a connection that is lost', async () => {
    const { calls, intake } = redisServer('reconnecting');
    await intake.stop();
    expect(calls).toEqual([]);
  });
});
