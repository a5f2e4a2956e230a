import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { type Answer, ask, startNotes, statelessRequest } from './notes-app.fixture.js';

let app: INestApplication;
let url: string;
let port: number;
beforeAll(async () => {
  ({ app, url, port } = await startNotes({
    mcp: { maxBodyBytes: 100_000, bodyTimeout: 300, maxDepth: 20 },
  }));
});
afterAll(() => app.close());

type Headers = Readonly<Record<string, string>>;

interface Sent {
  readonly status: number;
  readonly code: number | undefined;
  readonly id: unknown;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Sends exactly these headers and this body. */
function post(headers: Headers, body: string | Buffer, method = 'POST'): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const req = request(url, { method, headers }, (res) => {
      let text = '';
      res.setEncoding('utf8').on('data', (part: string) => (text += part));
      res.on('end', () => {
        const { error, id } = (text === '' ? {} : JSON.parse(text)) as Answer;
        resolve({ status: res.statusCode ?? 0, code: error?.code, id, headers: res.headers });
      });
    });
    req.on('error', reject).end(body);
  });
}

const LIST = statelessRequest('tools/list');
const CALL = statelessRequest('tools/call', { name: 'Notes_Show', arguments: {} });

const without = (headers: Headers, ...names: readonly string[]): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));

describe('headers that must agree with the body', () => {
  const meta = LIST.body.params._meta;
  it.each<[string, Headers, object, number, number]>([
    ['no Mcp-Method', without(LIST.headers, 'mcp-method'), LIST.body, 400, -32_020],
    ['no version', without(LIST.headers, 'mcp-protocol-version'), LIST.body, 400, -32_020],
    ['no Mcp-Name', without(CALL.headers, 'mcp-name'), CALL.body, 400, -32_020],
    ['another method', { ...LIST.headers, 'mcp-method': 'tools/call' }, LIST.body, 400, -32_020],
    [
      'a method in capitals',
      { ...LIST.headers, 'mcp-method': 'TOOLS/LIST' },
      LIST.body,
      400,
      -32_020,
    ],
    ['another name', { ...CALL.headers, 'mcp-name': 'Notes_Find' }, CALL.body, 400, -32_020],
    ['bad base64', { ...CALL.headers, 'mcp-name': '=?base64?a?=' }, CALL.body, 400, -32_020],
    [
      'another version',
      LIST.headers,
      {
        ...LIST.body,
        params: { _meta: { ...meta, 'io.modelcontextprotocol/protocolVersion': 'v9' } },
      },
      400,
      -32_020,
    ],
    [
      'a version that is not known',
      { ...LIST.headers, 'mcp-protocol-version': 'v9' },
      {
        ...LIST.body,
        params: { _meta: { ...meta, 'io.modelcontextprotocol/protocolVersion': 'v9' } },
      },
      400,
      -32_022,
    ],
    ['no _meta', LIST.headers, { ...LIST.body, params: {} }, 400, -32_602],
    [
      'no capabilities',
      LIST.headers,
      {
        ...LIST.body,
        params: { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } },
      },
      400,
      -32_602,
    ],
    ['a method of before', ...removed('initialize'), 404, -32_601],
    ['ping', ...removed('ping'), 404, -32_601],
    ['no method of ours', ...removed('prompts/list'), 404, -32_601],
  ])('with %s are refused', async (_, headers, body, status, code) => {
    const sent = await post(headers, JSON.stringify(body));
    expect(sent).toMatchObject({ status, code, id: 1 });
  });

  function removed(method: string): [Headers, object] {
    const { headers, body } = statelessRequest(method);
    return [headers, body];
  }

  it('may have the name in base64, and blanks around it', async () => {
    const name = `=?base64?${Buffer.from('Notes_Show').toString('base64')}?=`;
    for (const given of [name, '  Notes_Show  ']) {
      const sent = await post({ ...CALL.headers, 'mcp-name': given }, JSON.stringify(CALL.body));
      expect(sent).toMatchObject({ status: 200, code: undefined });
    }
  });
});

it('what an error repeats of a message is short, and has no characters that people do not see', async () => {
  const evil = `x\u202e\u0007\u200b${'y'.repeat(200)}`;
  const meta = { ...LIST.body.params._meta, 'io.modelcontextprotocol/protocolVersion': evil };
  for (const more of [{ method: evil }, { params: { _meta: meta } }]) {
    const body = JSON.stringify({ ...LIST.body, ...more });
    const { 'mcp-protocol-version': _, ...headers } = LIST.headers;
    const response = await fetch(url, { method: 'POST', headers, body });
    const { error } = (await response.json()) as Answer;
    expect(JSON.stringify(error?.data)).toMatch(/"xy{126}…"/);
  }
});

describe('a body', () => {
  const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  const nested = (levels: number) => `${'{"inner":'.repeat(levels)}{}${'}'.repeat(levels)}`;
  const callWith = (args: string) =>
    JSON.stringify(CALL.body).replace('"arguments":{}', `"arguments":${args}`);
  it.each<[string, string | Buffer, number, number]>([
    ['that is not JSON', '{', 400, -32_700],
    ['that is empty', '', 400, -32_700],
    ['that is not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 400, -32_700],
    ['with something after it', `${JSON.stringify(LIST.body)} {}`, 400, -32_700],
    ['with a member twice', '{"jsonrpc":"2.0","id":1,"id":2,"method":"tools/list"}', 400, -32_700],
    ['with arguments twice', callWith('{},"arguments":{}'), 400, -32_700],
    [
      'with arguments twice, once spelt by escapes',
      callWith('{},"argument\\u0073":{}'),
      400,
      -32_700,
    ],
    ['that is a batch', `[${JSON.stringify(LIST.body)}]`, 400, -32_600],
    ['that is a response', '{"jsonrpc":"2.0","id":1,"result":{}}', 400, -32_600],
    ['without a version', '{"id":1,"method":"tools/list"}', 400, -32_600],
    ['with an id that is null', '{"jsonrpc":"2.0","id":null,"method":"ping"}', 400, -32_600],
    ['with an id that is a fraction', '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', 400, -32_600],
    [
      'with params that are a list',
      '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}',
      400,
      -32_600,
    ],
    ['of deep lists', deep(40_000), 400, -32_600],
    ['of deep arguments', callWith(nested(9_000)), 400, -32_700],
    [
      'with too many members',
      `{${Array.from({ length: 300 }, (_, at) => `"${at}":1,`).join('')}"jsonrpc":"2.0","id":1,"method":"ping"}`,
      400,
      -32_700,
    ],
    [
      'of deep _meta',
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":${nested(40)}}}`,
      400,
      -32_700,
    ],
    [
      'that is large outside of its arguments',
      JSON.stringify({
        ...LIST.body,
        params: { _meta: LIST.body.params._meta, x: 'x'.repeat(70_000) },
      }),
      400,
      -32_700,
    ],
    ['that is too large', JSON.stringify({ ...LIST.body, x: 'x'.repeat(100_000) }), 413, -32_000],
  ])('%s is refused', async (_, body, status, code) => {
    expect(await post(LIST.headers, body)).toMatchObject({ status, code });
  });

  it('whose arguments are nested deeper than maxDepth is an error of the call', async () => {
    const { status, json } = await ask(url, 'tools/call', {
      name: 'Notes_Show',
      arguments: JSON.parse(nested(20)),
    });
    expect([status, json.result?.isError]).toEqual([200, true]);
    expect(json.result?.content?.[0]?.text).toMatch(/^INVALID_ARGUMENT: arguments: .*20 levels/);
  });

  it.each<[string, Headers, number]>([
    ['without a type', without(LIST.headers, 'content-type'), 415],
    ['that is text', { ...LIST.headers, 'content-type': 'text/plain' }, 415],
    ['that is compressed', { ...LIST.headers, 'content-encoding': 'gzip' }, 415],
    ['in Latin-1', { ...LIST.headers, 'content-type': 'application/json; charset=latin1' }, 415],
    ['for which JSON is refused', { ...LIST.headers, accept: 'application/json;q=0' }, 406],
  ])('%s is refused', async (_, headers, status) => {
    expect((await post(headers, JSON.stringify(LIST.body))).status).toBe(status);
  });

  it('that does not come is given up, and that announces a gigabyte is refused at once', async () => {
    const head = (length: number) =>
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n{`;
    expect(await firstLine(head(1_000))).toBe('HTTP/1.1 408 Request Timeout');
    expect(await firstLine(head(1_000_000_000))).toBe('HTTP/1.1 413 Payload Too Large');
  });
});

function firstLine(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => void socket.write(bytes));
    socket.setEncoding('utf8').once('data', (text: string) => {
      socket.destroy();
      resolve(text.slice(0, text.indexOf('\r\n')));
    });
    socket.once('error', reject);
  });
}

it('bodies that wait make room for smaller ones, the largest first', async () => {
  const own = await startNotes({ mcp: { maxBodyBytes: 60_000, maxBodyBytesInAll: 100_000 } });
  const body = JSON.stringify(LIST.body);
  const lines = Object.entries(LIST.headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = (length: number) =>
    `POST /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${lines.join('')}Content-Length: ${length}\r\n\r\n`;
  const large = [50_000, 50_000].map((length) => talk(own.port, head(length) + ' '.repeat(49_000)));
  // A request that is answered meanwhile: the other two have come.
  await Promise.race([...large.map(({ answer }) => answer), ask(own.url, 'tools/list')]);
  const small = talk(own.port, head(body.length + 3_000) + ' '.repeat(3_000));
  expect(await Promise.race(large.map(({ answer }) => answer))).toMatch(/^HTTP\/1.1 503 /);
  small.socket.write(body);
  expect(await small.answer).toMatch(/^HTTP\/1.1 200 /);
  for (const { socket } of large) socket.destroy();
  await own.app.close();
});

/** Sends bytes; `answer` is all that comes until the connection ends. */
function talk(to: number, bytes: string): { socket: Socket; answer: Promise<string> } {
  const socket = connect(to, '127.0.0.1', () => void socket.write(bytes));
  const answer = new Promise<string>((resolve) => {
    let text = '';
    socket.setEncoding('utf8').on('data', (part: string) => void (text += part));
    socket.on('error', () => {}).on('close', () => resolve(text));
  });
  return { socket, answer };
}

describe('the host and the origin of a request', () => {
  it.each<[string, string | undefined, number]>([
    ['evil.example.com', undefined, 403],
    ['evil.example.com:80', 'http://evil.example.com', 403],
    ['localhost', 'https://evil.example.com', 403],
    ['localhost', 'null', 403],
    ['localhost.evil.example.com', undefined, 403],
    ['localhost', undefined, 200],
    ['127.0.0.1:1234', 'http://localhost:3000', 200],
    ['[::1]:1234', 'http://[::1]:3000', 200],
  ])('Host %s, Origin %s: %i', async (host, origin, status) => {
    const headers = { ...LIST.headers, host, ...(origin !== undefined && { origin }) };
    expect((await post(headers, JSON.stringify(LIST.body))).status).toBe(status);
  });

  it('are those of the options, if there are any', async () => {
    const own = await startNotes({
      mcp: { allowedHosts: ['api.example.com'], allowedOrigins: ['https://app.example.com'] },
    });
    const statusOf = async (host: string, origin: string): Promise<number> => {
      const before = url;
      ({ url } = own);
      const { status } = await post({ ...LIST.headers, host, origin }, JSON.stringify(LIST.body));
      url = before;
      return status;
    };
    const app1 = 'https://app.example.com';
    expect(await statusOf('api.example.com', app1)).toBe(200);
    expect(await statusOf('api.example.com:443', app1)).toBe(200);
    expect(await statusOf('localhost', app1)).toBe(403);
    expect(await statusOf('api.example.com', 'http://localhost:3000')).toBe(403);
    await own.app.close();
  });
});

describe('other methods of HTTP', () => {
  it.each(['GET', 'PUT', 'OPTIONS', 'PATCH'])('%s is not served', async (method) => {
    const sent = await post({}, '', method);
    expect([sent.status, sent.headers['allow']]).toEqual([405, 'POST, DELETE']);
  });
});

it('an app without tools, or with options that are wrong, does not start', async () => {
  const started = startNotes({
    mcp: { path: 'mcp', timeot: 5, allowedHosts: ['a:1'], authorization: {} } as object,
  });
  await expect(started).rejects.toThrow(/mcp: [45] mistakes:/);
});
