import type { InProcessServer } from '@apix/calls';
import { expect, it } from '@jest/globals';
import { InProcessTransport } from './in-process-transport.js';

it('an in-process transport is ready until it is closed', async () => {
  const server = { open: () => ({}) } as unknown as InProcessServer;
  const transport = new InProcessTransport(server);
  await expect(transport.waitForReady()).resolves.toBeUndefined();
  transport.close();
  await expect(transport.waitForReady()).rejects.toThrow('grpc: the client is closed');
});
