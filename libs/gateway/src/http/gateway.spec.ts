import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Caller } from '../call/caller.js';
import { type EchoServer, startEchoServer, transcodingRegistry } from '../testkit/echo-server.js';
import { type Served, ask, serve } from '../testkit/serve.js';
import { Gateway } from './gateway.js';

const registry = transcodingRegistry();
let echo: EchoServer;
let caller: Caller;
let served: Served;

beforeAll(async () => {
  echo = await startEchoServer(registry);
  caller = new Caller({ endpoint: echo.endpoint });
  served = await serve(new Gateway(registry, caller).handle);
});
afterAll(async () => {
  await served.close();
  caller.close();
  echo.stop();
});

describe('Gateway', () => {
  it('carries a request to the server and its answer back', async () => {
    const answer = await ask(served.port, '/v1/path/shelves/7');
    expect(answer.json).toEqual({ str: 'shelves/7' });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('application/json');
  });
});
