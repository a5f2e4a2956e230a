import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as FormerClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FormerTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type CryptoKey, SignJWT, exportJWK, generateKeyPair } from 'jose';
import { freePort } from '../../../../tools/testing/free-port.js';
import { type Child, type Program, program } from '../../../../tools/testing/program.js';
import { ask, statelessRequest } from '../../../mcp/src/notes-app.fixture.js';
import { ForeignServer, WEATHER } from './foreign-server.fixture.js';

let command: Program;
let privateKey: CryptoKey;
let jwk: object;
let folder: string;
let server: ForeignServer;
const running: Child[] = [];
beforeAll(async () => {
  command = await program(new URL('../cli/main.ts', import.meta.url));
  const pair = await generateKeyPair('ES256');
  ({ privateKey } = pair);
  jwk = { ...(await exportJWK(pair.publicKey)), kid: 'one' };
});
afterAll(() => command.remove());
const open = async () => {
  folder = mkdtempSync(join(tmpdir(), 'apix-tools-'));
  server = await ForeignServer.start();
};
const shut = async () => {
  for (const child of running.splice(0)) {
    child.kill('SIGTERM');
    await child.ended;
  }
  server.stop();
  rmSync(folder, { recursive: true });
};

const tokenOf = (...roles: string[]) =>
  new SignJWT({ roles })
    .setProtectedHeader({ alg: 'ES256', kid: 'one' })
    .setIssuer('https://id.example')
    .setAudience('weather')
    .setSubject('ada')
    .setExpirationTime('5m')
    .sign(privateKey);

function file(name: string, content: unknown): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const tokens = () => {
  const jwks = file('keys.json', { keys: [jwk] });
  return ['--jwks', jwks, '--issuer', 'https://id.example', '--audience', 'weather'];
};

/** The file of policies in the README. */
const [POLICIES = ''] = /(?<=```yaml\n)# policies\.yaml\n.*?(?=```)/s.exec(
  readFileSync(new URL('../../README.md', import.meta.url), 'utf8'),
)!;

/** The lines of the log, each an event. */
type Event = Readonly<Record<string, unknown>>;

/** Runs apix-gateway until the end of the test. */
async function start(...args: string[]) {
  const port = await freePort();
  const child = command.run(
    ...`--listen 127.0.0.1:${port} --drain-delay 0 --backend ${server.address}`.split(' '),
    ...'--log-format json --log-level debug --mcp'.split(' '),
    ...args,
  );
  running.push(child);
  let out = '';
  child.process.stdout!.on('data', (data: Buffer) => (out += data.toString()));
  const url = `http://127.0.0.1:${port}`;
  await child.said('tools are served by MCP');
  return {
    child,
    url,
    mcp: `${url}/mcp`,
    events: (): Event[] =>
      out
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Event),
    /** Waits until the log has a text that it did not have before. */
    said: async (text: string, from: number) => {
      while (!out.slice(from).includes(text)) await sleep(5);
    },
    position: () => out.length,
  };
}

const policed = (...args: string[]) =>
  start(...tokens(), '--policy-file', file('policies.yaml', POLICIES), ...args);

async function toolsOf(mcp: string, token?: string): Promise<string[] | number> {
  const { status, json } = await ask(mcp, 'tools/list', {}, token);
  return json?.result?.tools?.map(({ name }) => name) ?? status;
}

const call = (mcp: string, name: string, town: string, token?: string) =>
  ask(mcp, 'tools/call', { name, arguments: { town } }, token);

const bearer = (token: string) => ({
  requestInit: { headers: { authorization: `Bearer ${token}` } },
});

const READ = ['weather_GetDay', 'weather_Fail', 'weather_Slow', 'weather_Watch'];

describe('the tools of a server of others', () => {
  let gateway: Awaited<ReturnType<typeof start>>;
  let mcp: string;
  beforeAll(async () => {
    await open();
    gateway = await policed('--forward-header', 'x-tenant', '--trust-proxy', '1', '--unbound');
    ({ mcp } = gateway);
  });
  beforeEach(() => void server.calls.splice(0));
  afterAll(shut);

  it('are those that the policy file names, for those who may call them', async () => {
    expect(await toolsOf(mcp)).toBe(401);
    expect(await toolsOf(mcp, 'forged')).toBe(401);
    expect(await toolsOf(mcp, await tokenOf('stranger'))).toEqual([]);
    expect(await toolsOf(mcp, await tokenOf('reader'))).toEqual(READ);
    expect(await toolsOf(mcp, await tokenOf('writer'))).toEqual(['set_day']);
    const { json } = await ask(mcp, 'tools/list', {}, await tokenOf('writer'));
    expect(json?.result?.tools).toEqual([
      expect.objectContaining({ description: 'Changes the weather of a day.' }),
    ]);
    const denied = await call(mcp, 'set_day', 'Bern', await tokenOf('reader'));
    expect(denied.json?.result).toMatchObject({ isError: true });
    expect(server.calls).toEqual([]);
  });

  it('are called by the official clients of both revisions', async () => {
    const token = await tokenOf('reader');
    const info = { name: 'official', version: '1.0.0' };
    const arguments_ = { town: 'Bern', days: 3 };
    const answer = { town: 'Bern', days: '3' };
    const client = new Client(info, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new StreamableHTTPClientTransport(new URL(mcp), bearer(token)));
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(READ);
    const day = await client.callTool({ name: 'weather_GetDay', arguments: arguments_ });
    expect(day.structuredContent).toEqual(answer);
    await client.close();
    const former = new FormerClient(info);
    await former.connect(new FormerTransport(new URL(mcp), bearer(token)));
    expect((await former.listTools()).tools.map(({ name }) => name)).toEqual(READ);
    const seen: unknown[] = [];
    const watched = await former.callTool(
      { name: 'weather_Watch', arguments: arguments_ },
      undefined,
      { onprogress: ({ progress }) => void seen.push(progress) },
    );
    expect([seen, watched['structuredContent']]).toEqual([[1, 2, 3], { town: 'Bern', days: '3' }]);
    await former.close();
    expect(server.calls.map(({ path }) => path)).toEqual([
      '/weather.v1.Forecast/GetDay',
      '/weather.v1.Forecast/Watch',
    ]);
  });

  it('have the metadata, the event and the errors of the gateway', async () => {
    const token = await tokenOf('reader');
    const more = {
      'x-tenant': 'blue',
      'x-forwarded-for': '192.0.2.7',
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      'grpc-metadata-colour': 'red',
      'x-request-id': 'request-1',
    };
    const request = statelessRequest(
      'tools/call',
      { name: 'weather_Fail', arguments: { town: 'Bern' } },
      token,
    );
    const called = await fetch(gateway.mcp, {
      method: 'POST',
      headers: { ...request.headers, ...more },
      body: JSON.stringify(request.body),
    });
    const rest = await fetch(`${gateway.url}/weather.v1.Forecast/Fail`, {
      method: 'POST',
      headers: { ...more, 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: '{"town":"Bern"}',
    });
    expect(await rest.json()).toMatchObject({
      code: 'FAILED_PRECONDITION',
      detail: 'no weather in Bern',
    });
    const { result } = (await called.json()) as { result: object };
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: 'FAILED_PRECONDITION: no weather in Bern' }],
    });
    const [tool, byRest] = server.calls.map(({ metadata }) => metadata.getMap());
    expect(tool).toEqual(byRest);
    expect(tool).toMatchObject({
      authorization: `Bearer ${token}`,
      'x-tenant': 'blue',
      'x-forwarded-for': '192.0.2.7, 127.0.0.1',
      colour: 'red',
      'x-request-id': 'request-1',
    });
    const reserved = await fetch(gateway.mcp, {
      method: 'POST',
      headers: { ...request.headers, 'grpc-metadata-x-user': 'root' },
      body: JSON.stringify(request.body),
    });
    expect(reserved.status).toBe(400);
    expect(server.calls).toHaveLength(2);
    const events = gateway.events().filter((event) => event['mcp_tool'] === 'weather_Fail');
    expect(events).toEqual([
      expect.objectContaining({ mcp_tool: 'weather_Fail', mcp_client: 'test' }),
    ]);
  });
});

describe('the tools of a gateway of their own', () => {
  beforeEach(open);
  afterEach(shut);

  it('follow the server: away, back again, and with other methods, in the same session', async () => {
    const gateway = await policed();
    const token = await tokenOf('reader');
    const client = new FormerClient({ name: 'official', version: '1.0.0' });
    await client.connect(new FormerTransport(new URL(gateway.mcp), bearer(token)));
    const { port } = server;
    server.stop();
    const away = await client.callTool({ name: 'weather_GetDay', arguments: {} });
    expect(away).toMatchObject({ isError: true });
    expect(JSON.stringify(away)).toContain('UNAVAILABLE');
    const next = WEATHER.replace('rpc Fail', 'rpc Look(Request) returns (Answer);\n  rpc Fail');
    server = await ForeignServer.start(next, ['weather.v1.Forecast'], port);
    let back = away;
    while (back['isError'] === true) {
      back = await client.callTool({ name: 'weather_GetDay', arguments: { town: 'Bern' } });
    }
    expect(back['structuredContent']).toMatchObject({ town: 'Bern' });
    expect((await client.listTools()).tools).toHaveLength(READ.length);
    const from = gateway.position();
    gateway.child.kill('SIGHUP');
    await gateway.said('tools are served by MCP', from);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('weather_Look');
    const looked = await client.callTool({ name: 'weather_Look', arguments: { town: 'Thun' } });
    expect(looked['structuredContent']).toMatchObject({ town: 'Thun' });
    await client.close();
  });

  it('are not served before the server has described itself, and are then', async () => {
    const { port } = server;
    server.stop();
    const url = `http://127.0.0.1:${await freePort()}`;
    const named = ['--mcp-tool', 'weather.v1.Forecast.GetDay', '--mcp-list', 'all'];
    const listen = ['--listen', url.replace('http://', ''), '--drain-delay', '0', '--mcp'];
    const child = command.run(...listen, '--backend', `127.0.0.1:${port}`, ...named);
    running.push(child);
    await child.said('listening on');
    expect(await toolsOf(`${url}/mcp`).catch(() => 503)).toBe(503);
    server = await ForeignServer.start(WEATHER, ['weather.v1.Forecast'], port);
    await child.said('all tools are listed to everybody, as mcp-list is all');
    expect(await toolsOf(`${url}/mcp`)).toEqual(['Forecast_GetDay']);
    const { json } = await call(`${url}/mcp`, 'Forecast_GetDay', 'Bern');
    expect(json?.result?.structuredContent).toMatchObject({ town: 'Bern' });
    const unnamed = await call(`${url}/mcp`, 'Forecast_SetDay', 'Bern');
    expect(unnamed.json?.error?.message).toBe('unknown tool: Forecast_SetDay');
  });

  it('end the calls that are under way before the gateway stops', async () => {
    const gateway = await policed();
    const called = call(gateway.mcp, 'weather_Slow', 'Bern', await tokenOf('reader'));
    await server.slowHasBegun;
    gateway.child.kill('SIGTERM');
    while ((await fetch(`${gateway.url}/healthz`).catch(() => undefined)) !== undefined);
    server.release();
    expect((await called).json?.result?.structuredContent).toMatchObject({ town: 'Bern' });
    expect(await gateway.child.ended).toMatchObject({ code: 0 });
  });

  it('say where clients get tokens, and let the named pages and hosts in', async () => {
    const resource = 'https://weather.example/mcp';
    const { mcp, url } = await policed(
      ...`--audience ${resource} --mcp-resource ${resource} --mcp-scope weather`.split(' '),
      ...'--mcp-origin https://page.example --mcp-sessions 0'.split(' '),
    );
    const metadata = await fetch(`${url}/.well-known/oauth-protected-resource/mcp`);
    expect(await metadata.json()).toMatchObject({
      resource,
      authorization_servers: ['https://id.example'],
      scopes_supported: ['weather'],
    });
    const { headers } = await ask(mcp, 'tools/list');
    expect(headers.get('www-authenticate')).toContain(
      'resource_metadata="https://weather.example/.well-known/oauth-protected-resource/mcp"',
    );
    const preflight = async (origin: string) => {
      const asked = { origin, 'access-control-request-method': 'POST' };
      const answer = await fetch(mcp, { method: 'OPTIONS', headers: asked });
      return [answer.status, answer.headers.get('access-control-allow-origin')];
    };
    expect(await preflight('https://page.example')).toEqual([204, 'https://page.example']);
    expect(await preflight('https://other.example')).toEqual([403, null]);
    const initialize = { protocolVersion: '2025-11-25', capabilities: {} };
    const hello = await fetch(mcp, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${await tokenOf('reader')}`,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize }),
    });
    expect([hello.status, hello.headers.get('mcp-session-id')]).toEqual([200, null]);
  });
});
