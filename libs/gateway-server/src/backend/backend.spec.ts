import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttp2, createSecureServer, type Http2Server } from 'node:http2';
import { type AddressInfo, type Server as TcpServer, createServer as createTcp } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { CERTIFICATE, KEY } from '../../../../tools/testing/certificate.js';
import { gatewayCommand } from '../cli/gateway-command.js';
import { loadSettings } from '../settings/load-settings.js';
import { Backend } from './backend.js';
import { spokenProtocol } from './spoken-protocol.js';

const folder = mkdtempSync(join(tmpdir(), 'apix-backend-'));
const ca = join(folder, 'ca.pem');
writeFileSync(ca, CERTIFICATE);
afterAll(() => rmSync(folder, { recursive: true }));

const cleanUp: (() => void)[] = [];
afterEach(() => cleanUp.splice(0).forEach((step) => step()));

/** A server of grpc-js without services. */
async function grpcServer(kind: 'tls' | 'mutual tls' | 'plaintext'): Promise<string> {
  const server = new Server();
  const pair = { cert_chain: Buffer.from(CERTIFICATE), private_key: Buffer.from(KEY) };
  const credentials =
    kind === 'plaintext'
      ? ServerCredentials.createInsecure()
      : ServerCredentials.createSsl(Buffer.from(CERTIFICATE), [pair], kind === 'mutual tls');
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', credentials, (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    ),
  );
  cleanUp.push(() => server.forceShutdown());
  return `localhost:${port}`;
}

async function listening(server: Http2Server | TcpServer): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUp.push(() => server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function backendOf(endpoint: string, ...args: string[]): Backend {
  const { settings } = loadSettings(['--backend', endpoint, ...args]);
  const backend = new Backend(settings, { admission: undefined, stages: [] });
  cleanUp.push(() => backend.close());
  return backend;
}

const ASKED = [
  ['for its descriptors', (backend: Backend) => backend.reflect()],
  ['for its health', (backend: Backend) => backend.check()],
] as const;

describe.each(ASKED)('a server that is asked %s', (_what, ask) => {
  it.each(['tls', 'mutual tls'] as const)(
    'by plaintext, and speaks %s, names --backend-tls',
    async (kind) => {
      const endpoint = await grpcServer(kind);
      await expect(ask(backendOf(endpoint))).rejects.toThrow(
        `; ${endpoint} speaks TLS: set --backend-tls, or --backend-ca for an authority of your own`,
      );
    },
  );

  it('over TLS, if the server uses plaintext, names the option to remove', async () => {
    const endpoint = await grpcServer('plaintext');
    for (const args of [['--backend-tls'], ['--backend-ca', ca]]) {
      await expect(ask(backendOf(endpoint, ...args))).rejects.toThrow(
        `; ${endpoint} does not speak TLS: remove --backend-tls, --backend-ca`,
      );
    }
  });

  it('and is not there has the error alone', async () => {
    const endpoint = await listening(createTcp());
    cleanUp.splice(0).forEach((step) => step());
    await expect(ask(backendOf(endpoint))).rejects.toThrow(/^(?!.*TLS)/s);
    await expect(ask(backendOf(endpoint, '--backend-tls'))).rejects.toThrow(/^(?!.*TLS:)/s);
  });

  it('by TLS whose certificate is of another authority has the error alone', async () => {
    const endpoint = await grpcServer('tls');
    await expect(ask(backendOf(endpoint, '--backend-tls'))).rejects.toThrow(/^(?!.*speaks? TLS)/s);
  });
});

it('apix-gateway --check says so, and ends as with a server that is not there', async () => {
  const endpoint = await grpcServer('tls');
  let said = '';
  const io = { version: '0', print: () => {}, complain: (text: string) => void (said += text) };
  expect(await gatewayCommand(['--backend', endpoint, '--check'], io)).toBe(3);
  expect(said).toMatch(/^gateway-server: .*; localhost:\d+ speaks TLS: set --backend-tls/);
});

describe('the protocol of a server', () => {
  it.each([
    ['tls', () => createSecureServer({ cert: CERTIFICATE, key: KEY })],
    ['tls', () => createSecureServer({ cert: CERTIFICATE, key: KEY, maxVersion: 'TLSv1.2' })],
    ['plaintext', () => createHttp2()],
    [undefined, () => createTcp()],
    [undefined, () => createTcp((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))],
  ])('is %s', async (expected, make) => {
    expect(await spokenProtocol(await listening(make() as Http2Server))).toBe(expected);
  });

  it.each(['unix:/tmp/x.sock', 'localhost', 'xds:///a', 'localhost:99999', 'localhost:1'])(
    'is not known of %s',
    async (endpoint) => {
      expect(await spokenProtocol(endpoint)).toBeUndefined();
    },
  );
});
