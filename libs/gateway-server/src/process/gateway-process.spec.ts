import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createLogger } from '@apix/logx/core';
import { Client, Metadata, credentials } from '@grpc/grpc-js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { SignJWT, exportJWK, generateKeyPair } from 'jose';
import { stockServer } from '../../../grpc-client/src/reflection/stock-reflection.fixture.js';
import { changedSet, withoutJsonNames } from '../../../proto/src/complete/bare-set.fixture.js';
import { loadSettings } from '../settings/load-settings.js';
import { SHOP, startBackend } from './backend.fixture.js';
import { GatewayProcess } from './gateway-process.js';

const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

let backend: Awaited<ReturnType<typeof startBackend>>;
const cleanUp: (() => unknown)[] = [];
beforeAll(async () => {
  backend = await startBackend();
});
afterEach(async () => {
  for (const step of cleanUp.splice(0).toReversed()) await step();
});
afterAll(() => backend.stop());

/** Runs the gateway until the end of the test. */
async function start(...args: string[]) {
  const { settings } = loadSettings([
    '--listen',
    '127.0.0.1:0',
    '--drain-delay',
    '0',
    ...(args.includes('--backend') ? [] : ['--backend', backend.address]),
    ...args,
  ]);
  const gateway = new GatewayProcess(settings, createLogger({ sinks: [] }));
  if (gateway.catalogue.isLocal) await gateway.catalogue.load();
  const host = gateway.host().build();
  const ended = new AbortController();
  const running = host.runContext(ended.signal);
  cleanUp.push(async () => {
    ended.abort();
    await running;
  });
  await host.started;
  const url = `http://${gateway.addr}`;
  return { gateway, host, url };
}

const isReady = async (url: string) => (await fetch(`${url}/readyz`)).status === 200;

async function untilReady(url: string): Promise<void> {
  while (!(await isReady(url)));
}

describe('a gateway that asks the server for its descriptors', () => {
  it('serves its rules, a document, a docs page, health and figures', async () => {
    const { url } = await start('--title', 'Shop');
    await untilReady(url);
    const [, path = '', answer = ''] = /^\$ curl localhost:8080(\S+)\n(.*)$/m.exec(README)!;
    expect(await (await fetch(url + path)).text()).toBe(answer);
    const pot = await fetch(`${url}/v1/products/pot`);
    expect([pot.status, await pot.json()]).toEqual([
      200,
      { name: 'products/pot', title: 'Cast iron pot' },
    ]);
    const document = (await (await fetch(`${url}/openapi.json`)).json()) as object;
    const accept = 'application/json;q=0';
    expect((await fetch(`${url}/openapi.json`, { headers: { accept } })).status).toBe(406);
    expect(document).toMatchObject({ openapi: '3.1.0', info: { title: 'Shop' } });
    expect(await (await fetch(`${url}/docs`)).text()).toContain('<title>Shop</title>');
    const figures = await (await fetch(`${url}/metrics`)).text();
    expect(figures).toMatch(/apix_gateway_requests_total\{[^}]*status="200"/);
    expect((await fetch(`${url}/nothing`)).status).toBe(404);
  });

  it('serves a stock server of Node, whose descriptors lack names, types and imports', async () => {
    const stock = await stockServer();
    cleanUp.push(stock.stop);
    const { url } = await start('--backend', stock.endpoint, '--unbound');
    await untilReady(url);
    const answer = await fetch(`${url}/weather.v1.Forecast/GetDay`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"townName":"Bern"}',
    });
    expect(await answer.json()).toEqual({
      townName: 'Bern',
      dayKind: 'RAIN',
      mainWind: { topSpeed: 30 },
      windByHour: { noon: { topSpeed: 12 } },
      leastDegrees: 0,
      satelliteId: '9007199254740993',
      issuedAt: '1970-01-01T00:00:01Z',
      hourlyDegrees: [-1, 2],
    });
    const document: unknown = await (await fetch(`${url}/openapi.json`)).json();
    expect(document).toHaveProperty(
      ['components', 'schemas', 'weather.v1.Day', 'properties', 'leastDegrees', 'type'],
      'integer',
    );
    expect(JSON.stringify(document)).not.toContain('"":');
  });

  it('is alive and unready while the server is away, and serves once it is there', async () => {
    const place = createServer();
    await new Promise<void>((resolve) => place.listen(0, '127.0.0.1', resolve));
    const { port } = place.address() as AddressInfo;
    await new Promise((resolve) => place.close(resolve));
    const { url } = await start('--backend', `127.0.0.1:${port}`);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect(await isReady(url)).toBe(false);
    const early = await fetch(`${url}/v1/products/pot`);
    expect([early.status, early.headers.get('retry-after')]).toEqual([503, '1']);
    const late = await startBackend(port);
    cleanUp.push(() => late.stop());
    await untilReady(url);
    expect((await fetch(`${url}/v1/products/pot`)).status).toBe(200);
  });
});

describe('a gateway with a descriptor set', () => {
  it('serves methods without a rule where it is asked to', async () => {
    const { url } = await start('--descriptors', SHOP, '--unbound');
    expect((await fetch(`${url}/v1/products/pot`)).status).toBe(200);
  });

  it('writes the names of fields that the set leaves out', async () => {
    const set = join(mkdtempSync(join(tmpdir(), 'apix-bare-')), 'bare.binpb');
    cleanUp.push(() => rmSync(dirname(set), { recursive: true }));
    writeFileSync(set, changedSet(readFileSync(SHOP), withoutJsonNames));
    const bare = await start('--descriptors', set);
    const full = await start('--descriptors', SHOP);
    const pot = await fetch(`${bare.url}/v1/products/pot`);
    expect(await pot.json()).toEqual({ name: 'products/pot', title: 'Cast iron pot' });
    const documentOf = async ({ url }: { readonly url: string }) =>
      (await fetch(`${url}/openapi.json`)).text();
    expect(await documentOf(bare)).toBe(await documentOf(full));
  });

  it('answers preflights of the configured pages, and of no others', async () => {
    const page = 'https://shop.example';
    const { url } = await start('--descriptors', SHOP, '--cors-origin', page);
    const ask = (origin: string, method: string) =>
      new Promise<Record<string, unknown>>((resolve, reject) => {
        const headers = { origin, 'access-control-request-method': 'GET' };
        const sent = request(`${url}/v1/products/pot`, { method, headers }, (res) => {
          res.resume();
          resolve({ status: res.statusCode, allowed: res.headers['access-control-allow-origin'] });
        });
        sent.on('error', reject).end();
      });
    expect(await ask(page, 'OPTIONS')).toEqual({ status: 204, allowed: page });
    expect(await ask(page, 'GET')).toEqual({ status: 200, allowed: page });
    expect(await ask('https://other.example', 'GET')).toEqual({ status: 200, allowed: undefined });
  });

  it('has health and figures on a port of their own where that is wanted', async () => {
    const args = ['--descriptors', SHOP, '--admin-listen', '127.0.0.1:0'];
    const { gateway, url } = await start(...args);
    const admin = `http://${gateway.adminAddr}`;
    const statusOf = async (at: string) => (await fetch(at)).status;
    expect([await statusOf(`${admin}/healthz`), await statusOf(`${admin}/metrics`)]).toEqual([
      200, 200,
    ]);
    expect([await statusOf(`${url}/healthz`), await statusOf(`${url}/metrics`)]).toEqual([
      404, 404,
    ]);
    expect(await statusOf(`${admin}/v1/products/pot`)).toBe(404);
  });

  it('enforces the policies of the descriptors by the tokens of a provider, for all protocols', async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256');
    const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256' };
    const provider = createServer((_req, res) => res.end(JSON.stringify({ keys: [jwk] })));
    await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
    cleanUp.push(() => provider.close());
    const { port } = provider.address() as AddressInfo;
    const token = (role: string) =>
      new SignJWT({ roles: [role] })
        .setProtectedHeader({ alg: 'ES256', kid: 'one' })
        .setIssuer('https://id.example')
        .setAudience('shop')
        .setSubject('ada')
        .setExpirationTime('5m')
        .sign(privateKey);
    const { url } = await start(
      '--descriptors',
      SHOP,
      '--protocols',
      'rest,connect,grpc-web,grpc',
      '--http2',
      '--jwks',
      `http://127.0.0.1:${port}/jwks.json`,
      '--issuer',
      'https://id.example',
      '--audience',
      'shop',
    );
    // Their bodies are no messages: who may not call is not told so.
    const post = async (path: string, type: string, body: string, bearer?: string) => {
      const headers = {
        'content-type': type,
        ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      };
      const answer = await fetch(url + path, { method: 'POST', headers, body });
      await answer.arrayBuffer();
      return answer.headers.get('grpc-status') ?? answer.status;
    };
    const channel = new Client(url.replace('http://', ''), credentials.createInsecure());
    cleanUp.push(() => channel.close());
    const overGrpc = (path: string, bearer?: string) =>
      new Promise((resolve) => {
        const metadata = new Metadata();
        if (bearer !== undefined) metadata.set('authorization', `Bearer ${bearer}`);
        const bytes = (it: Buffer) => it;
        const message = Buffer.from([0xff]);
        channel.makeUnaryRequest(path, bytes, bytes, message, metadata, (error) =>
          resolve(error?.code ?? 0),
        );
      });
    const CREATE = '/shop.v1.Catalog/Create';
    const as = async (bearer?: string) => [
      await post('/v1/products', 'application/json', '{', bearer),
      await post(CREATE, 'application/json', '{', bearer),
      await post(CREATE, 'application/grpc-web+proto', '{', bearer),
      await overGrpc(CREATE, bearer),
    ];
    expect(await as()).toEqual([401, 401, '16', 16]);
    expect(await as('forged')).toEqual([401, 401, '16', 16]);
    expect(await as(await token('nobody'))).toEqual([403, 403, '7', 7]);
    expect(await as(await token('admin'))).toEqual([400, 400, '3', 3]);
    const GET = '/shop.v1.Catalog/Get';
    expect((await fetch(`${url}/v1/products/pot`)).status).toBe(200);
    expect(await post(GET, 'application/json', '{"name":"products/pot"}')).toBe(200);
    expect(await post(GET, 'application/grpc-web+proto', '\0\0\0\0\0')).toBe(200);
  });

  it('serves other protocols than REST without rules, and no methods that are for tools', async () => {
    const { url } = await start('--protocols', 'connect');
    await untilReady(url);
    const post = async (path: string) => {
      const headers = { 'content-type': 'application/json' };
      return fetch(url + path, { method: 'POST', headers, body: '{"name":"products/pot"}' });
    };
    const answer = await post('/shop.v1.Catalog/Get');
    expect(await answer.json()).toEqual({ name: 'products/pot', title: 'Cast iron pot' });
    expect((await fetch(`${url}/v1/products/pot`)).status).toBe(404);
    expect((await post('/grpc.health.v1.Health/Check')).status).toBe(404);
    const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as { paths: object };
    expect(paths).toEqual({});
  });

  it('keeps its generation when a reload finds what there was', async () => {
    const { gateway, host, url } = await start('--descriptors', SHOP);
    const { current } = gateway.catalogue;
    await host.reload();
    // Nothing has changed, so the generation is the same object.
    expect(gateway.catalogue.current).toBe(current);
    expect((await fetch(`${url}/v1/products/pot`)).status).toBe(200);
  });
});
