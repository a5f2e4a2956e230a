import { type IncomingMessage, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from '@modelcontextprotocol/client';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as FormerClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FormerTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Metadata } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { McpEndpoint } from './http/mcp-endpoint.js';
import { McpBackend } from './nest/mcp-backend.js';
import { type Answer, ask, CALLERS, NOTES, startNotes } from './notes-app.fixture.js';
import { TOOLS } from './tools.fixture.js';
import { ToolBook } from './tools/tool-book.js';

let app: INestApplication;
let url: string;
beforeAll(async () => {
  ({ app, url } = await startNotes({
    mcp: { name: 'notes', version: '2.1.0', sessions: { max: 5, maxPerCaller: 2 } },
  }));
});
afterAll(() => app.close());

const INFO = { name: 'official', version: '1.0.0' };
const credentials = (token: string) => ({
  requestInit: { headers: { authorization: `Bearer ${token}` } },
});
const READER = ['Show', 'Find', 'Change', 'Admire', 'Fail', 'Count', 'Watch'];
const plain = (names: readonly string[]) => names.map((name) => name.replace('Notes_', ''));

describe('the official client', () => {
  it('of 2026-07-28 lists and calls without a session', async () => {
    const client = new Client(INFO, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new StreamableHTTPClientTransport(new URL(url), credentials('ada')));
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    const { tools } = await client.listTools();
    expect(plain(tools.map(({ name }) => name))).toEqual(READER);
    const found = await client.callTool({ name: 'Notes_Find', arguments: { name: 'x', size: 3 } });
    expect(found.structuredContent).toMatchObject({ name: 'x', size: '3' });
    const seen: unknown[] = [];
    const watched = await client.callTool(
      { name: 'Notes_Watch', arguments: { name: 'a', size: 3 } },
      { onprogress: ({ progress, message }) => void seen.push([progress, message]) },
    );
    expect(watched.structuredContent).toEqual({ name: 'a', size: '3' });
    expect(seen).toEqual([1, 2, 3].map((n) => [n, `{"name":"a","size":"${n}"}`]));
    await client.close();
  });

  it('of the revision before lists, calls and ends its session', async () => {
    const client = new FormerClient(INFO);
    const transport = new FormerTransport(new URL(url), credentials('ada'));
    await client.connect(transport);
    expect(client.getServerVersion()).toEqual({ name: 'notes', version: '2.1.0' });
    expect(transport.sessionId).toMatch(/^[\w-]{32}$/);
    const { tools } = await client.listTools();
    expect(plain(tools.map(({ name }) => name))).toEqual(READER);
    const found = await client.callTool({ name: 'Notes_Find', arguments: { name: 'x' } });
    expect(found['structuredContent']).toMatchObject({ name: 'x' });
    const seen: unknown[] = [];
    await client.callTool({ name: 'Notes_Watch', arguments: { size: 2 } }, undefined, {
      onprogress: ({ progress }) => void seen.push(progress),
    });
    expect(seen).toEqual([1, 2]);
    const denied = await client.callTool({ name: 'Notes_Remove', arguments: {} });
    expect(denied['isError']).toBe(true);
    await client.ping();
    await transport.terminateSession();
    await expect(client.ping()).rejects.toThrow();
    await client.close();
  });
});

interface Said {
  readonly status: number;
  readonly session: string | null;
  readonly json: Answer | undefined;
}

async function say(message: object, headers: Readonly<Record<string, string>> = {}): Promise<Said> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  });
  const text = await response.text();
  return {
    status: response.status,
    session: response.headers.get('mcp-session-id'),
    json: text === '' ? undefined : (JSON.parse(text) as Answer),
  };
}

const as = (token: string) => ({ authorization: `Bearer ${token}` });
const hello = (headers: Readonly<Record<string, string>> = {}, protocolVersion = '2025-11-25') =>
  say({ id: 1, method: 'initialize', params: { protocolVersion, clientInfo: INFO } }, headers);
const PING = { id: 2, method: 'ping' };

describe('a session', () => {
  it('has the revision that the client asks for, or the latest with sessions', async () => {
    const versions = ['2025-11-25', '2025-06-18', '2025-03-26', '1999-01-01'];
    const said = await Promise.all(versions.map((version) => hello({}, version)));
    expect(said.map(({ json }) => json?.result?.['protocolVersion'])).toEqual([
      '2025-11-25',
      '2025-06-18',
      '2025-11-25',
      '2025-11-25',
    ]);
  });

  it('is needed, must exist, and keeps its revision', async () => {
    const { session } = await hello();
    const id = { 'mcp-session-id': session! };
    expect(await say(PING, id)).toMatchObject({ status: 200, json: { id: 2, result: {} } });
    expect(await say(PING)).toMatchObject({ status: 400, json: { error: { code: -32_000 } } });
    const other = { 'mcp-session-id': 'x'.repeat(32) };
    expect(await say(PING, other)).toMatchObject({
      status: 404,
      json: { error: { code: -32_001 } },
    });
    const version = { ...id, 'mcp-protocol-version': '2025-06-18' };
    expect((await say(PING, version)).status).toBe(400);
    expect((await say({ method: 'notifications/initialized' }, id)).status).toBe(202);
    expect(await say({ id: 3, method: 'prompts/list' }, id)).toMatchObject({
      status: 200,
      json: { error: { code: -32_601 } },
    });
  });

  it('of another caller does not exist, and neither does that of one who is not accepted', async () => {
    const { session } = await hello(as('ada'));
    const id = { 'mcp-session-id': session! };
    expect((await say(PING, { ...id, ...as('ada') })).status).toBe(200);
    expect((await say(PING, { ...id, ...as('bob') })).status).toBe(404);
    expect((await say(PING, id)).status).toBe(404);
    expect((await say(PING, { ...id, ...as('nobody') })).status).toBe(401);
    expect((await hello(as('nobody'))).status).toBe(401);
    expect((await say(PING, { ...id, ...as('ada') })).status).toBe(200);
  });

  it('of a caller by another header than Authorization does not exist for one without it', async () => {
    const own = await startNotes({
      mcp: { forwardHeaders: ['x-key'], sessions: { maxPerCaller: 2 } },
      authz: { subject: ({ metadata }) => CALLERS[metadata.get('x-key')[0] ?? ''] ?? null },
    });
    const before = url;
    ({ url } = own);
    const { session } = await hello({ 'x-key': 'ada' });
    const id = { 'mcp-session-id': session! };
    const keys = ['ada', undefined, 'bob', 'nobody', 'ada'];
    const said = [];
    for (const key of keys) said.push(await say(PING, { ...id, ...(key && { 'x-key': key }) }));
    // Keys that nobody was given make no other callers of an anonymous one.
    for (let i = 0; i < 4; i += 1) await hello({ 'x-key': `nobody ${i}` });
    url = before;
    expect(said.map(({ status }) => status)).toEqual([200, 404, 404, 404, 200]);
    expect(own.app.get(McpEndpoint, { strict: false }).counts.sessions).toBe(3);
    await own.app.close();
  });

  it('ends by DELETE of its caller alone', async () => {
    const { session } = await hello(as('ada'));
    const end = async (token: string) => {
      const headers = { 'mcp-session-id': session!, ...as(token) };
      return (await fetch(url, { method: 'DELETE', headers })).status;
    };
    expect([await end('bob'), await end('ada'), await end('ada')]).toEqual([404, 204, 404]);
  });

  it('is one of a bounded number: the oldest one ends, first of all of the same caller', async () => {
    const alive = async (said: Said, token: string) =>
      (await say(PING, { 'mcp-session-id': said.session!, ...as(token) })).status === 200;
    const bob = await hello(as('bob'));
    const ada = [];
    for (let i = 0; i < 4; i += 1) ada.push(await hello(as('ada')));
    const left = [];
    for (const each of ada) left.push(await alive(each, 'ada'));
    expect(left).toEqual([false, false, true, true]);
    expect(await alive(bob, 'bob')).toBe(true);
    for (const token of ['root', 'root', 'guest', 'guest']) await hello(as(token));
    expect(app.get(McpEndpoint, { strict: false }).counts.sessions).toBe(5);
  });

  it('lets its requests be cancelled', async () => {
    const { session } = await hello(as('ada'));
    const headers = { 'mcp-session-id': session!, ...as('ada') };
    const params = { name: 'Notes_Watch', arguments: { name: 'on', size: '1' } };
    const answer = fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 'long',
        method: 'tools/call',
        params: { ...params, _meta: { progressToken: 7 } },
      }),
    });
    // Its first event says that it is under way.
    const reader = (await answer).body!.getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toContain('"progressToken":7');
    const cancelled = { method: 'notifications/cancelled', params: { requestId: 'long' } };
    expect((await say(cancelled, headers)).status).toBe(202);
    const { value } = await reader.read();
    expect(new TextDecoder().decode(value)).toMatch(/"id":"long".*"isError":true/);
  });

  it('is not made if the app wants none', async () => {
    const own = await startNotes({ mcp: { sessions: false } });
    const before = url;
    ({ url } = own);
    const said = await hello();
    const list = await say({ id: 2, method: 'tools/list' });
    const { status } = await fetch(url, { method: 'DELETE' });
    url = before;
    expect([said.session, said.json?.result?.['protocolVersion'], status]).toEqual([
      null,
      '2025-11-25',
      405,
    ]);
    expect(plain(list.json!.result!.tools!.map(({ name }) => name))).toEqual(['Show', 'Fail']);
    await own.app.close();
  });
});

describe('an endpoint next to others', () => {
  it('has their metadata of calls, and the tools that there are at the moment', async () => {
    const { server, access } = app.get(McpBackend, { strict: false });
    const asked: unknown[] = [];
    const metadata = ({ url: path }: IncomingMessage, requestId: string): Metadata => {
      asked.push([path, requestId]);
      const made = new Metadata();
      made.set('authorization', 'Bearer root');
      return made;
    };
    let book = new ToolBook(NOTES);
    const endpoint = new McpEndpoint(() => book, { server, access, metadata });
    const own = createServer(endpoint.handle);
    await new Promise<void>((resolve) => own.listen(0, '127.0.0.1', resolve));
    const at = `http://127.0.0.1:${(own.address() as AddressInfo).port}/mcp`;
    const namesAt = async () =>
      (await ask(at, 'tools/list')).json.result?.tools?.map(({ name }) => name);
    expect(await namesAt()).toContain('Notes_Remove');
    const called = await ask(at, 'tools/call', { name: 'Notes_Find', arguments: { name: 'x' } });
    expect(called.json.result?.structuredContent).toMatchObject({ name: 'x' });
    expect(asked).toEqual([
      ['/mcp', expect.any(String)],
      ['/mcp', called.headers.get('x-request-id')],
    ]);
    book = new ToolBook(TOOLS);
    // The policies of this app do not know these methods.
    expect(await namesAt()).toEqual([]);
    expect(endpoint.counts.tools).toBe(book.size);
    const before = await ask(at, 'tools/call', { name: 'Notes_Find', arguments: {} });
    expect(before.json.error?.message).toBe('unknown tool: Notes_Find');
    await new Promise((resolve) => own.close(resolve));
  });
});
