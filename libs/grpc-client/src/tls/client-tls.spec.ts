import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { ServerCredentials } from '@grpc/grpc-js';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CERTIFICATE, KEY } from '../../../../tools/testing/certificate.js';
import { until } from '../../../../tools/testing/until.js';
import { channelOf, openChannel } from '../client/create-client.js';
import { ProbeServer, failureOfCall, probeClient } from '../client/probe-service.fixture.js';

let folder: string;
let server: ProbeServer;
/** The ends of the connections that calls came over. */
let peers: Set<string>;
let held: number;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'apix-client-tls-'));
  peers = new Set();
  held = 0;
  server = new ProbeServer({
    Unary: (call, respond) => {
      peers.add(call.getPeer());
      if (call.request.stringValue === 'hold') held += 1;
      else respond(null, { stringValue: 'tls' });
    },
  });
  const pair = { cert_chain: Buffer.from(CERTIFICATE), private_key: Buffer.from(KEY) };
  await server.listen(ServerCredentials.createSsl(null, [pair]));
});
afterEach(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

describe.each(['network', 'http2'] as const)('a client with TLS, %s,', (transport) => {
  it('calls a server whose authority it knows', async () => {
    const client = probeClient(server, transport, { tls: { ca: CERTIFICATE } });
    expect((await client.unary({})).stringValue).toBe('tls');
    expect(channelOf(client).isSecure).toBe(true);
  });

  it('calls no other one, and does so once the authority was read again', async () => {
    const ca = join(folder, 'ca.pem');
    writeFileSync(ca, rootCertificates[0]!);
    const client = probeClient(server, transport, { tls: { ca } });
    expect(await failureOfCall(client.unary({}))).toMatchObject({ status: 'UNAVAILABLE' });
    writeFileSync(ca, 'nothing');
    expect(() => channelOf(client).reload()).toThrow(
      /tls\.ca: .*ca\.pem does not contain a certificate/,
    );
    writeFileSync(ca, CERTIFICATE);
    channelOf(client).reload();
    const options = { waitForReady: true, timeout: '15s' };
    expect((await client.unary({}, options)).stringValue).toBe('tls');
  });

  it('reads the authority again for every further connection', async () => {
    const ca = join(folder, 'ca.pem');
    writeFileSync(ca, CERTIFICATE);
    const client = probeClient(server, transport, { tls: { ca } });
    const channel = channelOf(client);
    const calls = Array.from({ length: 500 }, () => client.unary({ stringValue: 'hold' }));
    const ended = Promise.allSettled(calls);
    await until(() => held === 500);
    writeFileSync(ca, rootCertificates[0]!);
    channel.reload();
    for (let round = 0; round < 20; round += 1) await client.unary({});
    expect([peers.size, channel.state]).toEqual([1, 'ready']);
    writeFileSync(ca, CERTIFICATE);
    channel.reload();
    while (peers.size === 1) await client.unary({});
    await channel.close({ signal: AbortSignal.abort(), remainingMs: () => 0 });
    expect(new Set((await ended).map(({ status }) => status))).toEqual(new Set(['rejected']));
  });

  it.each([
    ['a key that is missing', { cert: CERTIFICATE }, 'tls.key: missing'],
    ['an authority that is none', { ca: '-----BEGIN nothing' }, 'tls.ca: does not contain'],
  ])('refuses %s', (_, tls, message) => {
    expect(() => openChannel({ endpoint: 'localhost:1', tls })).toThrow(message);
  });
});
