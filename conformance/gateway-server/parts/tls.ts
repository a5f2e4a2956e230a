import assert from 'node:assert/strict';
import { request } from 'node:https';
import { connect } from 'node:tls';
import { type Identity, makeAuthority } from '../../../libs/authz/src/certificates.fixture.js';
import { step } from '../../chromium.js';
import type { Bed } from '../bed.js';
import { Load } from '../load.js';

/** TLS towards callers, mutual TLS towards the server, and new certificates for both while requests run. */
export async function testTls(bed: Bed): Promise<void> {
  const callers = [makeAuthority(), makeAuthority()] as const;
  const inside = makeAuthority();
  const files = bed;
  const trusted = callers.map(({ cert }) => cert);
  const place = (name: string, { cert, key }: Identity) => ({
    cert: files.file(`${name}.pem`, cert),
    key: files.file(`${name}.key`, key),
  });
  const ca = files.file('inside.pem', inside.cert);
  const backend = await bed.python({ ...place('backend', inside.server), ca });
  const own = place('own', inside.client('CN=gateway'));
  const shown = place('shown', callers[0].server);
  const options = [
    ['--backend', `localhost:${backend.port}`],
    ['--backend-ca', ca, '--backend-cert', own.cert, '--backend-key', own.key],
    ['--tls-cert', shown.cert, '--tls-key', shown.key],
  ].flat();
  const { url, command } = await bed.gateway(options);
  const rose = `${url.replace('127.0.0.1', 'localhost')}/v1/plants/rose`;
  await command.said(/HTTP rules call the gRPC server/);
  await step('a request over TLS reaches a server that wants a certificate', async () =>
    assert.equal(await statusOf(rose, trusted), 200),
  );
  await step('a server that gets no certificate is not reached', async () => {
    const args = ['--backend', `localhost:${backend.port}`, '--backend-ca', ca];
    const without = await bed.gateway(args);
    await without.command.said(/descriptors and rules cannot be read/);
    without.command.kill();
  });
  const load = new Load(rose, trusted);
  await load.more(100);
  const before = await issuedFor(url, trusted);
  await step('SIGHUP shows new callers a new certificate, and no request is lost', async () => {
    const from = command.out.length;
    place('shown', callers[1].server);
    place('own', inside.client('CN=gateway-2'));
    command.signal('SIGHUP');
    await command.said(/[Rr]eload/, from);
    await load.more(300);
    assert.notEqual(await issuedFor(url, trusted), before);
  });
  await step('a certificate that is none is reported, and the one before stays', async () => {
    const from = command.out.length;
    files.file('shown.pem', 'nothing');
    const after = await issuedFor(url, trusted);
    command.signal('SIGHUP');
    await command.said(/shown\.pem does not contain a certificate in PEM form/, from);
    await load.more(100);
    assert.equal(await issuedFor(url, trusted), after);
  });
  await load.stop();
  await step(`none of ${load.answered} requests was lost`, () => assert.deepEqual(load.lost, []));
  await testClientCertificates(bed, backend.port);
}

async function testClientCertificates(bed: Bed, port: number): Promise<void> {
  const authority = makeAuthority();
  const { cert, key } = authority.server;
  const options = [
    '--backend',
    `localhost:${port}`,
    '--tls-client-ca',
    bed.file('callers.pem', authority.cert),
  ];
  const tls = [
    '--tls-cert',
    bed.file('mutual.pem', cert),
    '--tls-key',
    bed.file('mutual.key', key),
  ];
  const { url } = await bed.gateway([...options, ...tls]);
  const live = `${url.replace('127.0.0.1', 'localhost')}/healthz`;
  await step('tls-client-ca lets in who has a certificate, and nobody else', async () => {
    assert.equal(await statusOf(live, [authority.cert], authority.client('CN=ada')), 200);
    await assert.rejects(statusOf(live, [authority.cert]));
    await assert.rejects(statusOf(live, [authority.cert], makeAuthority().client('CN=ada')));
  });
}

function statusOf(url: string, ca: readonly string[], identity?: Identity): Promise<number> {
  return new Promise((resolve, reject) => {
    request(url, { ca: [...ca], agent: false, ...identity }, (response) => {
      response.resume();
      resolve(response.statusCode!);
    })
      .on('error', reject)
      .end();
  });
}

/** The fingerprint of the certificate that a new connection sees. */
function issuedFor(url: string, ca: readonly string[]): Promise<string> {
  const { port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: 'localhost', port: Number(port), ca: [...ca] }, () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.destroy();
    }).on('error', reject);
  });
}
