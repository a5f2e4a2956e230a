import 'reflect-metadata';
import { AuthzModule, type Subject, certificateSubject } from '@apix/authz';
import { codeName } from '@apix/contracts';
import { GrpcModule, GrpcServer } from '@apix/grpc';
import { HostxModule } from '@apix/hostx';
import { startHost } from '@apix/hostx/testing';
import { ProtoModule } from '@apix/proto';
import { Client, Metadata, credentials } from '@grpc/grpc-js';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Controller, Module } from '@nestjs/common';
import { GrpcMethod } from '@nestjs/microservices';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConnectionOptions, type TLSSocket, connect } from 'node:tls';
import {
  type Authority,
  type Identity,
  altNames,
  makeAuthority,
} from '../../../libs/authz/src/certificates.fixture.js';
import { SHOP } from '../../../libs/authz/src/nest/shop.fixture.js';
import { PREFACE, settingsFrame } from '../../../tools/testing/http2-frames.js';

const authority = makeAuthority();
const stranger = makeAuthority();
const admin = authority.client('CN=ada', 'OU=staff', 'OU=admin');
const guest = authority.client('CN=bob', 'OU=guest');

const same = (bytes: Buffer): Buffer => bytes;
const TARGET = {
  'grpc.ssl_target_name_override': 'localhost',
  'grpc.use_local_subchannel_pool': 1,
};

let handled = 0;
const subjects: (Subject | null)[] = [];
const fromCertificate = certificateSubject();

@Controller()
class Orders {
  @GrpcMethod('Orders', 'Cancel')
  cancel() {
    handled += 1;
    return {};
  }
}

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'apix-callers-'))));
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
  rmSync(folder, { recursive: true });
  subjects.length = 0;
  handled = 0;
});

/** What the server trusts and shows, as files. */
function write(clientsOf: Authority, { cert, key }: Identity = authority.server): void {
  const files = { 'a.crt': cert, 'a.key': key, 'ca.crt': clientsOf.cert };
  for (const [name, pem] of Object.entries(files)) writeFileSync(join(folder, name), pem);
}

async function serve(stack: 'grpc-js' | 'http2', isMutual = true) {
  write(authority);
  const clientCa = isMutual ? { clientCa: join(folder, 'ca.crt') } : {};
  const tls = { cert: join(folder, 'a.crt'), key: join(folder, 'a.key'), ...clientCa };
  @Module({
    imports: [
      HostxModule.forRoot({ logger: null, drain: { delay: 0 } }),
      ProtoModule.forRoot({ descriptors: SHOP }),
      AuthzModule.forRoot({
        subject: async (call) => {
          const who = await fromCertificate(call);
          subjects.push(who);
          return who;
        },
      }),
      GrpcModule.forRoot({ port: 0, host: '127.0.0.1', stack, tls }),
    ],
    controllers: [Orders],
  })
  class App {}
  const { app, host, stop } = await startHost(App, { http: false });
  closers.push(stop);
  return { port: app!.get(GrpcServer).port, reload: () => host.reload() };
}

function clientAs(port: number, as: Identity | null): Client {
  const root = Buffer.from(authority.cert);
  const own = as === null ? [] : [Buffer.from(as.key), Buffer.from(as.cert)];
  const client = new Client(`127.0.0.1:${port}`, credentials.createSsl(root, ...own), TARGET);
  closers.push(() => client.close());
  return client;
}

/** Cancels an order, which is for admins; the status. */
function cancel(client: Client, claims: Readonly<Record<string, string>> = {}): Promise<string> {
  const metadata = Metadata.fromHttp2Headers(claims);
  const options = { deadline: Date.now() + 20_000 };
  return new Promise((resolve) => {
    const path = '/test.Orders/Cancel';
    client.makeUnaryRequest(path, same, same, Buffer.alloc(0), metadata, options, (error) =>
      resolve(codeName(error?.code ?? 0)),
    );
  });
}

/** A connection of TLS that speaks HTTP/2 once it has been let in. */
function socketAs(port: number, as: Identity, more: ConnectionOptions = {}): TLSSocket {
  const to = { port, host: '127.0.0.1', servername: 'localhost', ALPNProtocols: ['h2'] };
  const socket = connect({ ...as, ca: authority.cert, ...to, ...more });
  closers.push(() => socket.destroy());
  socket.on('error', () => {}).resume();
  socket.write(Buffer.concat([PREFACE, settingsFrame({})]));
  return socket;
}

describe.each(['grpc-js', 'http2'] as const)(
  'a gRPC server over %s that asks for certificates',
  (stack) => {
    it('knows a caller by its certificate', async () => {
      const { port } = await serve(stack);
      expect(await cancel(clientAs(port, admin))).toBe('OK');
      expect(await cancel(clientAs(port, guest))).toBe('PERMISSION_DENIED');
      expect(subjects).toEqual([
        { id: 'ada', roles: ['staff', 'admin'], permissions: [] },
        { id: 'bob', roles: ['guest'], permissions: [] },
      ]);
      expect(handled).toBe(1);
    });

    it.each<[string, Identity | null]>([
      ['without a certificate', null],
      ['with one of another authority', stranger.client('CN=ada', 'OU=admin')],
      ['with one that has expired', authority.clientOfDays([-3, -1], 'CN=ada', 'OU=admin')],
      ['with one that is not valid yet', authority.clientOfDays([1, 3], 'CN=ada', 'OU=admin')],
      ['with one that is for servers', authority.server],
      ['with the key of another', { cert: admin.cert, key: guest.key }],
    ])('has no caller %s, and serves the next one', async (_, as) => {
      const { port } = await serve(stack);
      // Node refuses to use a key that does not fit, before it connects.
      const status = await Promise.resolve()
        .then(() => cancel(clientAs(port, as)))
        .catch(() => 'UNAVAILABLE');
      expect([status, subjects, handled]).toEqual(['UNAVAILABLE', [], 0]);
      expect(await cancel(clientAs(port, admin))).toBe('OK');
    });

    it.each<[string, Identity]>([
      ['a line end in a unit', authority.client('CN=bob', 'OU=guest\nOU=admin')],
      ['a NUL in a unit', authority.client('CN=bob', 'OU=admin\0.example')],
      ['an empty unit', authority.client('CN=bob', 'OU=admin', 'OU=')],
      ['two names', authority.client('CN=bob', 'CN=ada', 'OU=admin')],
      ['a unit in UTF-16', authority.client('CN=bob', ['OU', 0x1e, '\0a\0d\0m\0i\0n'])],
    ])('accepts no certificate with %s', async (_, as) => {
      const { port } = await serve(stack);
      expect(await cancel(clientAs(port, as))).toBe('UNAUTHENTICATED');
      expect([subjects, handled]).toEqual([[], 0]);
    });

    it('takes no role from an alternative name', async () => {
      const { port } = await serve(stack);
      const as = authority.holder(['CN=bob'], altNames(['DNS', 'OU=admin']));
      expect(await cancel(clientAs(port, as))).toBe('PERMISSION_DENIED');
    });

    it.each<[string, Readonly<Record<string, string>>]>([
      ['a proxy', { 'x-forwarded-client-cert': 'Subject="CN=ada,OU=admin"' }],
      ['a certificate of another', { 'x-client-cert': encodeURIComponent(admin.cert) }],
      ['a name', { 'ssl-client-subject-dn': 'OU=admin,CN=ada' }],
      ['a token and roles', { authorization: 'Bearer admin', 'x-roles': 'admin', 'x-user': 'ada' }],
    ])('believes its certificate and not metadata with the words of %s', async (_, claims) => {
      const { port } = await serve(stack);
      expect(await cancel(clientAs(port, guest), claims)).toBe('PERMISSION_DENIED');
      expect(subjects).toEqual([{ id: 'bob', roles: ['guest'], permissions: [] }]);
    });

    it('gives a call that says it was forwarded the roles of nobody', async () => {
      const { port } = await serve(stack);
      expect(await cancel(clientAs(port, admin), { 'x-apix-forwarded': '1' })).toBe(
        'UNAUTHENTICATED',
      );
      expect([subjects, handled]).toEqual([[null], 0]);
    });

    it('asks for certificates of the new authority after a reload, and keeps the connections that are open', async () => {
      const { port, reload } = await serve(stack);
      const open = clientAs(port, admin);
      const newcomer = stranger.client('CN=eve', 'OU=admin');
      expect([await cancel(open), await cancel(clientAs(port, newcomer))]).toEqual([
        'OK',
        'UNAVAILABLE',
      ]);
      write(stranger);
      await reload();
      expect(await cancel(clientAs(port, admin))).toBe('UNAVAILABLE');
      expect(await cancel(clientAs(port, newcomer))).toBe('OK');
      expect(await cancel(open)).toBe('OK');
      expect(subjects.map((who) => who?.id)).toEqual(['ada', 'eve', 'ada']);
    });

    it.each(['TLSv1.2', 'TLSv1.3'] as const)(
      'lets no session of %s in again whose authority it no longer trusts',
      async (version) => {
        const { port, reload } = await serve(stack);
        const only = { minVersion: version, maxVersion: version } as const;
        const first = socketAs(port, admin, only);
        const [session] = (await once(first, 'session')) as [Buffer];
        // It can be resumed as long as nothing has changed.
        const second = socketAs(port, admin, { ...only, session });
        await once(second, 'data');
        expect(second.isSessionReused()).toBe(true);
        write(stranger);
        await reload();
        const third = socketAs(port, admin, { ...only, session });
        let received = 0;
        third.on('data', ({ length }: Buffer) => (received += length));
        await new Promise((resolve) => third.once('close', resolve));
        expect(received).toBe(0);
      },
    );

    it('does not begin another handshake on a connection', async () => {
      const { port } = await serve(stack);
      const socket = socketAs(port, guest, { maxVersion: 'TLSv1.2' });
      await once(socket, 'data');
      let isRenewed = false;
      socket.renegotiate({}, (error) => (isRenewed = error === null));
      // Calls for longer than a handshake takes.
      for (let n = 0; n < 5; n += 1) expect(await cancel(clientAs(port, admin))).toBe('OK');
      expect(isRenewed).toBe(false);
    });
  },
);

it.each(['grpc-js', 'http2'] as const)(
  'a gRPC server over %s that asks for no certificate has no caller with one',
  async (stack) => {
    const { port } = await serve(stack, false);
    expect(await cancel(clientAs(port, admin))).toBe('UNAUTHENTICATED');
    expect([subjects, handled]).toEqual([[null], 0]);
  },
);
