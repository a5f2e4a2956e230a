import { describe, expect, it } from '@jest/globals';
import { fuzz } from './fixtures/fuzz/fuzz.fixture.js';
import { useRig } from './fixtures/rig.fixture.js';
import { ask } from './fixtures/serve.fixture.js';
import { webSockets } from './http/websocket/web-sockets.js';

const rig = useRig();

describe('bad input', () => {
  it('is answered with 4xx, never with 5xx or nothing, and leaves the gateway healthy', async () => {
    const port = await rig.start({ webSockets: webSockets() });
    const { statuses, failures } = await fuzz(port, 1, 2_400);
    expect(
      failures.map(({ index, request, answer }) => ({
        index,
        request: `${request.method} ${request.path} ${request.body.toString('latin1')}`,
        answer: answer.slice(0, 300),
      })),
    ).toEqual([]);
    // It reached the server as well, or it would have shown nothing.
    expect(statuses.get(200)).toBeGreaterThan(100);
    expect(statuses.get(400)).toBeGreaterThan(100);
    expect((await ask(port, '/v1/query?str=a')).json).toEqual({ str: 'a' });
  });
});
