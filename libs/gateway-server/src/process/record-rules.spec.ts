import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { AddressInfo } from 'node:net';
import { createLogger } from '@apix/logx/core';
import { collectingSink } from '@apix/logx/testing';
import { ProtoRegistry } from '@apix/proto/core';
import { create, type DescMethod, fromBinary, type Message, toBinary } from '@bufbuild/protobuf';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { type Answer, statelessRequest } from '../../../mcp/src/notes-app.fixture.js';
import { loadSettings } from '../settings/load-settings.js';
import { GatewayProcess } from './gateway-process.js';

const setOf = (name: string) =>
  fileURLToPath(new URL(`../../../authz/testdata/${name}.binpb`, import.meta.url));
const RECORDS = setOf('lists');
const FIELDS = setOf('fields');
const NO_RECORDS = [
  ...['Get', 'Watch', 'Upload', 'Chat'].map((name) => `records.v1.Records.${name}`),
  'records.v1.Lists.*',
];

const calls: string[] = [];
const cleanUp: (() => unknown)[] = [];
let backend: Server;
let address: string;
let tokenOf: (id: string, ...roles: string[]) => Promise<string>;
let jwks: string;

/** Answers of a server that knows nothing of policies. */
const ANSWERS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  '/records.v1.Records/Spend': { text: 'spent' },
  '/records.v1.Records/Get': { text: 'got' },
  '/records.v1.Lists/List': { records: [{ name: 'records/1' }] },
  '/fields.v1.Directory/Get': { name: 'people/1', owner: 'ada', phone: 'taint-1', email: 'a@x' },
  '/fields.v1.Directory/List': { people: [{ name: 'people/1', owner: 'eve', email: 'taint-2' }] },
};

function serveAll(): Server {
  const server = new Server();
  for (const set of [RECORDS, FIELDS]) {
    for (const { methods } of ProtoRegistry.load(set).services) {
      for (const method of methods) {
        const path = `/${method.parent.typeName}/${method.name}`;
        if (method.methodKind === 'unary' && ANSWERS[path]) add(server, path, method);
      }
    }
  }
  return server;
}

function add(server: Server, path: string, { name, input, output }: DescMethod): void {
  server.register(
    path,
    (_: { request: Message }, done: (error: null, answer: Message) => void) => {
      calls.push(name);
      done(null, create(output, ANSWERS[path]));
    },
    (message: Message) => Buffer.from(toBinary(output, message)),
    (bytes: Buffer) => fromBinary(input, bytes),
    'unary',
  );
}

beforeAll(async () => {
  backend = serveAll();
  const port = await new Promise<number>((resolve, reject) =>
    backend.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    ),
  );
  address = `127.0.0.1:${port}`;
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256' };
  const provider = createServer((_, res) => res.end(JSON.stringify({ keys: [jwk] })));
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  closeLast.push(() => provider.close());
  jwks = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/jwks.json`;
  tokenOf = (id, ...roles) =>
    new SignJWT({ roles })
      .setProtectedHeader({ alg: 'ES256', kid: 'one' })
      .setIssuer('https://id.example')
      .setAudience('shop')
      .setSubject(id)
      .setExpirationTime('5m')
      .sign(privateKey);
});
const closeLast: (() => unknown)[] = [() => backend.forceShutdown()];
afterEach(async () => {
  for (const step of cleanUp.splice(0).toReversed()) await step();
  calls.length = 0;
});
afterAll(async () => {
  for (const close of closeLast) await close();
});

/** A gateway whose keys are those of the test, until the end of it. */
async function start(...args: string[]) {
  const own = `--listen 127.0.0.1:0 --drain-delay 0 --backend ${address} --jwks ${jwks}`;
  const tokens = '--issuer https://id.example --audience shop --protocols rest,connect';
  const { settings } = loadSettings([...`${own} ${tokens}`.split(' '), ...args]);
  const sink = collectingSink();
  const gateway = new GatewayProcess(settings, createLogger({ sinks: [sink] }));
  await gateway.catalogue.load();
  const host = gateway.host().build();
  const ended = new AbortController();
  const running = host.runContext(ended.signal);
  cleanUp.push(async () => {
    ended.abort();
    await running;
  });
  await host.started;
  const ask = async (path: string, body: object, ...who: [string, ...string[]]) => {
    const answer = await fetch(`http://${gateway.addr}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${await tokenOf(...who)}`,
      },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: (await answer.json()) as object };
  };
  return { ask, sink, url: `http://${gateway.addr}` };
}

describe('policies on records and fields in the gateway', () => {
  it('conditions on the request are decided before the server is called', async () => {
    const { ask } = await start(
      '--descriptors',
      RECORDS,
      '--exclude',
      ...NO_RECORDS.flatMap((name) => ['--exclude', name]).slice(1),
    );
    const spend = (amount: number) => ask('/records.v1.Records/Spend', { amount }, 'ada', 'user');
    expect(await spend(100)).toEqual({ status: 200, body: { text: 'spent' } });
    expect(await spend(101)).toMatchObject({ status: 403 });
    expect(await ask('/v1/spend', { amount: '101' }, 'ada', 'user')).toMatchObject({ status: 403 });
    expect(calls).toEqual(['Spend']);
  });

  it('that read or list records stop the start, each named', async () => {
    const failed = start('--descriptors', RECORDS);
    await expect(failed).rejects.toThrow(
      '/records.v1.Records/Get: its policy reads a record or lists records, which only the server has; set ' +
        '--record-rules server if the server enforces that policy too, or leave the method out with --exclude',
    );
    await expect(failed).rejects.toThrow('/records.v1.Lists/List: its policy');
    await expect(failed).rejects.not.toThrow('/records.v1.Records/Spend');
  });

  it('that read or list records are left to the server where it is said to enforce them', async () => {
    const { ask, sink } = await start('--descriptors', RECORDS, '--record-rules', 'server');
    const get = (...who: [string, ...string[]]) =>
      ask('/records.v1.Records/Get', { name: 'records/1' }, ...who);
    expect(await get('ada', 'user')).toMatchObject({ status: 200, body: { text: 'got' } });
    expect(await get('eve', 'guest')).toMatchObject({ status: 403 });
    expect(await ask('/records.v1.Lists/List', {}, 'ada', 'user')).toMatchObject({ status: 200 });
    expect(await ask('/records.v1.Lists/List', {}, 'ada', 'guest')).toMatchObject({ status: 403 });
    expect(await ask('/records.v1.Records/Spend', { amount: 101 }, 'ada')).toMatchObject({
      status: 403,
    });
    expect(calls).toEqual(['Get', 'List']);
    expect(sink.lines.join('\n')).toContain('the server decides about the records of ');
  });

  it('fields that a caller may not see are left out of what the server has answered', async () => {
    const { ask } = await start('--descriptors', FIELDS);
    const get = (...roles: string[]) =>
      ask('/fields.v1.Directory/Get', { name: 'people/1' }, 'ada', ...roles);
    const seen = { name: 'people/1', owner: 'ada', email: 'a@x' };
    expect(await get('user')).toEqual({ status: 200, body: seen });
    expect(await get('user', 'staff')).toEqual({
      status: 200,
      body: { ...seen, phone: 'taint-1' },
    });
    const list = await ask('/fields.v1.Directory/List', {}, 'ada', 'user');
    expect(list).toEqual({ status: 200, body: { people: [{ name: 'people/1', owner: 'eve' }] } });
  });

  it('fields that a caller may not see are not in what a tool returns', async () => {
    const tools = ['--mcp', '--mcp-tool', 'fields.v1.Directory.Get', '--unannotated', 'deny'];
    const { url } = await start('--descriptors', FIELDS, ...tools);
    const params = { name: 'Directory_Get', arguments: { name: 'people/1' } };
    const get = async (...roles: string[]) => {
      const { headers, body } = statelessRequest('tools/call', params);
      const answer = await fetch(`${url}/mcp`, {
        method: 'POST',
        headers: { ...headers, authorization: `Bearer ${await tokenOf('ada', ...roles)}` },
        body: JSON.stringify(body),
      });
      return ((await answer.json()) as Answer)?.result?.structuredContent;
    };
    const seen = { name: 'people/1', owner: 'ada', email: 'a@x' };
    expect([await get('user'), await get('user', 'staff')]).toEqual([
      seen,
      { ...seen, phone: 'taint-1' },
    ]);
  });
});
