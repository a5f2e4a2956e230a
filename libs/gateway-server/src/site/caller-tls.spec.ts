import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, describe, expect, it } from '@jest/globals';
import { makeAuthority } from '../../../authz/src/certificates.fixture.js';
import { loadSettings } from '../settings/load-settings.js';
import { callerTls } from './caller-tls.js';

const folder = mkdtempSync(join(tmpdir(), 'apix-caller-tls-'));
afterAll(() => rmSync(folder, { recursive: true }));

const [one, two] = [makeAuthority(), makeAuthority()];

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

function tlsOf(cert: string, key: string, ...more: string[]) {
  const args = ['--backend', 'localhost:1', '--tls-cert', cert, '--tls-key', key, ...more];
  return callerTls(loadSettings(args).settings)!;
}

describe('certificates that callers see', () => {
  it('are none where the settings have none', () => {
    expect(callerTls(loadSettings(['--backend', 'localhost:1']).settings)).toBeUndefined();
  });

  it.each([
    [
      'a certificate that is none',
      () => [file('no.pem', 'x'), file('a.key', one.server.key)],
      'tls-cert: ',
    ],
    [
      'a key that is none',
      () => [file('a.pem', one.server.cert), file('no.key', 'x')],
      'tls-key: ',
    ],
    [
      'a file that is not there',
      () => [join(folder, 'away'), file('a.key', one.server.key)],
      'tls-cert: ',
    ],
    [
      'a key of another certificate',
      () => [file('a.pem', one.server.cert), file('b.key', two.server.key)],
      'does not belong to the certificate',
    ],
  ])('%s is a mistake', (_what, files, said) => {
    const [cert = '', key = ''] = files();
    expect(() => tlsOf(cert, key)).toThrow(said);
  });

  it('names every file that is wrong', () => {
    const wrong = (): unknown =>
      tlsOf(file('x', 'x'), file('y', 'y'), '--tls-client-ca', file('z', 'z'));
    for (const place of ['tls-cert: ', 'tls-key: ', 'tls-client-ca: '])
      expect(wrong).toThrow(place);
  });

  it('requests certificates of callers if an authority is configured', () => {
    const [cert, key] = [file('a.pem', one.server.cert), file('a.key', one.server.key)];
    expect(tlsOf(cert, key).options).not.toHaveProperty('requestCert');
    const mutual = tlsOf(cert, key, '--tls-client-ca', file('ca.pem', one.cert));
    expect(mutual.options).toMatchObject({ requestCert: true, rejectUnauthorized: true });
  });

  it('are exchanged for new connections, and stay where the new ones are wrong', async () => {
    const [cert, key] = [file('s.pem', one.server.cert), file('s.key', one.server.key)];
    const tls = tlsOf(cert, key);
    const server = createServer(tls.options);
    tls.follow(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const seen = (): Promise<string> =>
      new Promise((resolve, reject) => {
        const options = {
          port,
          host: '127.0.0.1',
          servername: 'localhost',
          ca: [one.cert, two.cert],
        };
        const socket = connect(options, () => {
          resolve(socket.getPeerCertificate().fingerprint256);
          socket.destroy();
        }).on('error', reject);
      });
    const first = await seen();
    file('s.pem', two.server.cert);
    expect(() => tls.reload()).toThrow('does not belong');
    expect(await seen()).toBe(first);
    file('s.key', two.server.key);
    tls.reload();
    expect(await seen()).not.toBe(first);
    await new Promise((resolve) => server.close(resolve));
  });
});
