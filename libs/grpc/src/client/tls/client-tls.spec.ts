import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServerCredentials } from '@grpc/grpc-js';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CERTIFICATE, KEY } from '../../../../../tools/testing/certificate.js';
import { channelOf, openChannel } from '../create-client.js';
import { ProbeServer, failureOfCall, probeClient } from '../probe-service.fixture.js';

let folder: string;
let server: ProbeServer;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'apix-client-tls-'));
  server = new ProbeServer({ Unary: (_call, respond) => respond(null, { stringValue: 'tls' }) });
  const pair = { cert_chain: Buffer.from(CERTIFICATE), private_key: Buffer.from(KEY) };
  await server.listen(ServerCredentials.createSsl(null, [pair]));
});
afterEach(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

describe('a client with TLS', () => {
  it('calls a server whose authority it knows', async () => {
    const client = probeClient(server, 'network', { tls: { ca: CERTIFICATE } });
    expect((await client.unary({})).stringValue).toBe('tls');
    expect(channelOf(client).isSecure).toBe(true);
  });

  it('calls no other one, and does so once the authority was read again', async () => {
    const ca = join(folder, 'ca.pem');
    const { rootCertificates } = await import('node:tls');
    writeFileSync(ca, rootCertificates[0]!);
    const client = probeClient(server, 'network', { tls: { ca } });
    expect(await failureOfCall(client.unary({}))).toMatchObject({ status: 'UNAVAILABLE' });
    writeFileSync(ca, 'nothing');
    expect(() => channelOf(client).reload()).toThrow('tls.ca: does not contain a certificate');
    writeFileSync(ca, CERTIFICATE);
    channelOf(client).reload();
    const options = { waitForReady: true, timeout: '15s' };
    expect((await client.unary({}, options)).stringValue).toBe('tls');
  });

  it.each([
    ['a key that is missing', { cert: CERTIFICATE }, 'tls.key: missing'],
    ['an authority that is none', { ca: '-----BEGIN nothing' }, 'tls.ca: does not contain'],
  ])('refuses %s', (_, tls, message) => {
    expect(() => openChannel({ endpoint: 'localhost:1', tls })).toThrow(message);
  });
});
