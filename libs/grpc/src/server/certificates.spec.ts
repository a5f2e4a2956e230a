import 'reflect-metadata';
import { Host } from '@apix/hostx/core';
import { startHost } from '@apix/hostx/testing';
import { type ChannelCredentials, Server, credentials } from '@grpc/grpc-js';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import {
  type OpenCall,
  call,
  clientOf,
  openCall,
  probe,
} from '../../../grpc-client/src/client.fixture.js';
import { GrpcServer } from '../nest/grpc-server.js';
import { ObservableController, probeApp, overEachStack } from '../probe.fixture.js';
import {
  CA_CERT,
  CLIENT_CERT,
  CLIENT_KEY,
  SERVER_CERT,
  SERVER_KEY,
  STRANGER_CERT,
  STRANGER_KEY,
} from '../../../grpc-client/src/tls/certificates.fixture.js';
import { grpcServerService } from './grpc-server-service.js';

const [Unary, , , BidiStream] = probe.services[0]!.methods;
const ca = Buffer.from(CA_CERT);
const known = credentials.createSsl(ca, Buffer.from(CLIENT_KEY), Buffer.from(CLIENT_CERT));
const stranger = credentials.createSsl(ca, Buffer.from(STRANGER_KEY), Buffer.from(STRANGER_CERT));

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'apix-grpc-'))));
afterEach(() => rmSync(folder, { recursive: true }));

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, pem] of Object.entries(files)) writeFileSync(join(folder, name), pem);
}

/** As whom a server shows itself. */
function nameOf(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(
      { port, host: '127.0.0.1', rejectUnauthorized: false, ALPNProtocols: ['h2'] },
      () => {
        resolve(String(socket.getPeerCertificate().subject.CN));
        socket.destroy();
      },
    ).on('error', reject);
  });
}

async function echo({ stream }: OpenCall): Promise<unknown> {
  stream.write({ stringValue: 'a' });
  return new Promise((resolve) => stream.once('data', resolve));
}

const files = () => ({ cert: join(folder, 'a.crt'), key: join(folder, 'a.key') });

overEachStack(() => {
  describe('when the host reloads, a server', () => {
    const name = { 'grpc.ssl_target_name_override': 'localhost' };

    it('shows its new certificate to new connections, and keeps those that are there', async () => {
      write({ 'a.crt': SERVER_CERT, 'a.key': SERVER_KEY });
      const module = probeApp([ObservableController], { tls: files() });
      const { app, host } = await startHost(module, { http: false });
      const { port, address } = app!.get(GrpcServer);
      const open = openCall(clientOf(address, credentials.createSsl(ca), name), BidiStream!);
      expect(await echo(open)).toMatchObject({ stringValue: 'a' });
      expect(await nameOf(port)).toBe('localhost');

      write({ 'a.crt': STRANGER_CERT, 'a.key': STRANGER_KEY });
      await host.reload();
      expect(await nameOf(port)).toBe('stranger');
      expect(await echo(open)).toMatchObject({ stringValue: 'a' });
      open.stream.end();
      expect((await open.answer).status).toBe('OK');
    });

    it('keeps its certificate where the new one is no good, and says so', async () => {
      write({ 'a.crt': SERVER_CERT, 'a.key': SERVER_KEY });
      const module = probeApp([ObservableController], { tls: files() });
      const { app, host } = await startHost(module, { http: false });
      write({ 'a.crt': STRANGER_CERT });
      await expect(host.reload()).rejects.toThrow(
        /grpc: tls\.key: .*a\.key does not belong to tls\.cert/,
      );
      expect(await nameOf(app!.get(GrpcServer).port)).toBe('localhost');
    });

    it('asks clients for certificates of its new authority', async () => {
      write({ 'a.crt': SERVER_CERT, 'a.key': SERVER_KEY, 'ca.crt': CA_CERT });
      const tls = { ...files(), clientCa: join(folder, 'ca.crt') };
      const module = probeApp([ObservableController], { tls });
      const { app, host } = await startHost(module, { http: false });
      const { address } = app!.get(GrpcServer);
      const statusAs = async (who: ChannelCredentials): Promise<string> =>
        (await call(clientOf(address, who, name), Unary, [{}], { deadline: Date.now() + 2_000 }))
          .status;
      expect([await statusAs(known), await statusAs(stranger)]).toEqual(['OK', 'UNAVAILABLE']);
      write({ 'ca.crt': STRANGER_CERT });
      await host.reload();
      expect([await statusAs(known), await statusAs(stranger)]).toEqual(['UNAVAILABLE', 'OK']);
    });
  });

  it('a server with TLS lets its calls end when it is stopped, and takes no new connections', async () => {
    write({ 'a.crt': SERVER_CERT, 'a.key': SERVER_KEY });
    const module = probeApp([ObservableController], { tls: files() });
    const { app, stop } = await startHost(module, { http: false });
    const { port, address } = app!.get(GrpcServer);
    const name = { 'grpc.ssl_target_name_override': 'localhost' };
    const open = openCall(clientOf(address, credentials.createSsl(ca), name), BidiStream!);
    expect(await echo(open)).toMatchObject({ stringValue: 'a' });
    const silent = connectTcp(port, '127.0.0.1');
    await once(silent, 'connect');
    const stopped = stop();
    const deadline = Date.now() + 5_000;
    while ((await nameOf(port).catch(() => '')) !== '' && Date.now() < deadline);
    expect(await echo(open)).toMatchObject({ stringValue: 'a' });
    open.stream.end();
    expect((await open.answer).status).toBe('OK');
    expect(await stopped).toBeUndefined();
    silent.destroy();
  });

  it('your own server reads its certificates again on reloadCertificates()', async () => {
    write({ 'a.crt': SERVER_CERT, 'a.key': SERVER_KEY });
    const server = new Server();
    const grpc = grpcServerService({ server, port: 0, drainDelay: 0, tls: files() });
    const builder = Host.builder().addService(grpc);
    const { host } = await startHost(builder.onReload(() => grpc.reloadCertificates()));
    expect(await nameOf(grpc.port)).toBe('localhost');
    write({ 'a.crt': STRANGER_CERT, 'a.key': STRANGER_KEY });
    await host.reload();
    expect(await nameOf(grpc.port)).toBe('stranger');
  });
});
