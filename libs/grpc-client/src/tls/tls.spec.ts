import 'reflect-metadata';
import { CALL_STAGE, type CallStage, type PeerCertificate } from '@apix/contracts';
import { startHost } from '@apix/hostx/testing';
import { type ChannelCredentials, credentials } from '@grpc/grpc-js';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Answer, call, clientOf, probe } from '../client.fixture.js';
import { GrpcServer } from '../../../grpc/src/nest/grpc-server.js';
import { ObservableController, probeApp } from '../../../grpc/src/probe.fixture.js';
import {
  CA_CERT,
  CLIENT_CERT,
  CLIENT_KEY,
  SERVER_CERT,
  SERVER_KEY,
  STRANGER_CERT,
  STRANGER_KEY,
} from './certificates.fixture.js';
import type { TlsOptions } from './tls.js';

const [Unary] = probe.services[0]!.methods;
const ca = Buffer.from(CA_CERT);
const anonymous = credentials.createSsl(ca);
const known = credentials.createSsl(ca, Buffer.from(CLIENT_KEY), Buffer.from(CLIENT_CERT));
const stranger = credentials.createSsl(ca, Buffer.from(STRANGER_KEY), Buffer.from(STRANGER_CERT));

let seen: (PeerCertificate | undefined)[];
let folder: string;
beforeEach(() => {
  seen = [];
  folder = mkdtempSync(join(tmpdir(), 'apix-grpc-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Serves with TLS, and calls once as somebody. */
async function callAs(tls: TlsOptions, who: ChannelCredentials): Promise<Answer> {
  const stage: CallStage = {
    [CALL_STAGE]: true,
    name: 'authz',
    bind: () => ({ onCall: ({ peer }) => void seen.push(peer.certificate) }),
  };
  @Module({
    imports: [probeApp([ObservableController], { tls })],
    providers: [{ provide: 'stage', useValue: stage }],
  })
  class App {}
  const { app } = await startHost(App, { http: false });
  const client = clientOf(app!.get(GrpcServer).address, who, {
    'grpc.ssl_target_name_override': 'localhost',
  });
  return call(client, Unary, [{ stringValue: 'a' }], { deadline: Date.now() + 2_000 });
}

const server = { cert: SERVER_CERT, key: SERVER_KEY };

describe('with TLS, a call', () => {
  it('is encrypted, and needs no certificate of the caller', async () => {
    expect((await callAs(server, anonymous)).status).toBe('OK');
    expect(seen).toEqual([undefined]);
  });

  it('takes certificates from files too', async () => {
    const write = (name: string, pem: string): string => {
      writeFileSync(join(folder, name), pem);
      return join(folder, name);
    };
    const tls = { cert: write('a.crt', SERVER_CERT), key: write('a.key', SERVER_KEY) };
    expect((await callAs(tls, anonymous)).status).toBe('OK');
  });

  it('in plaintext fails', async () => {
    expect((await callAs(server, credentials.createInsecure())).status).toBe('UNAVAILABLE');
  });
});

describe('with mutual TLS, a call', () => {
  const mutual = { ...server, clientCa: CA_CERT };

  it('carries the certificate of the caller, with all its organizational units', async () => {
    expect((await callAs(mutual, known)).status).toBe('OK');
    expect(seen).toMatchObject([{ subject: { CN: ['client'], OU: ['staff', 'admin'] } }]);
  });

  it.each([
    ['without a certificate', anonymous],
    ['with the certificate of another authority', stranger],
  ])('%s never reaches the server', async (_, who) => {
    expect((await callAs(mutual, who)).status).toBe('UNAVAILABLE');
    expect(seen).toEqual([]);
  });
});
