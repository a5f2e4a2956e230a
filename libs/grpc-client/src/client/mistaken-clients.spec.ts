import { describe, expect, it } from '@jest/globals';
import { freePort } from '../../../../tools/testing/free-port.js';
import { channelOf, createClient, openChannel } from './create-client.js';
import { Probe, probeClient, serveProbe } from './probe-service.fixture.js';

describe('a client whose options are wrong', () => {
  it('leaves a channel that it was given to the others', async () => {
    const server = await serveProbe({ Unary: (_call, respond) => respond(null, {}) });
    const channel = openChannel({ endpoint: server.endpoint });
    const one = createClient(Probe, { channel });
    expect(() => createClient(Probe, { channel, timeout: '0' })).toThrow('timeout: ');
    expect(channel.isClosing).toBe(false);
    await expect(one.unary({})).resolves.toBeDefined();
    await channel.close();
  });

  it.each([null, 5, 'grpc.max_receive_message_length'])(
    'is told of channelOptions that are %j',
    (channelOptions) => {
      const init = { endpoint: 'a:1', channelOptions: channelOptions as never };
      const given = JSON.stringify(channelOptions);
      expect(() => createClient(Probe, init)).toThrow(
        `grpc: channelOptions: must be an object, not ${given}`,
      );
    },
  );
});

describe('waitForReady', () => {
  it('resolves where the server comes within the timeout', async () => {
    const server = await serveProbe({ Unary: (_call, respond) => respond(null, {}) });
    const channel = channelOf(probeClient(server));
    await channel.waitForReady('20s');
    expect(channel.state).toBe('ready');
  });

  it('names the server that does not come', async () => {
    const endpoint = `127.0.0.1:${await freePort()}`;
    const channel = openChannel({ endpoint });
    await expect(channel.waitForReady('50ms')).rejects.toThrow(
      `grpc: no connection to ${endpoint} in time`,
    );
    await channel.close();
  });
});
