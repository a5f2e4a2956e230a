import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Code, StatusError } from '@apix/contracts';
import { reachedHandler } from '@apix/contracts/internal';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CREDENTIALS, gatekeeper } from '../../fixtures/gatekeeper.fixture.js';
import { jsonLines } from '../../fixtures/json-lines.fixture.js';
import { rawHttp } from '../../fixtures/raw-http.fixture.js';
import { useRig } from '../../fixtures/rig.fixture.js';
import { type Served, ask, serve } from '../../fixtures/serve.fixture.js';
import { Gateway } from '../gateway.js';
import type { GatewayProtocol, RpcForm } from './protocol.js';

const guide = readFileSync(
  new URL('../../../../../docs/guides/own-protocol.md', import.meta.url),
  'utf8',
);
const code = readFileSync(new URL('../../fixtures/json-lines.fixture.ts', import.meta.url), 'utf8');
const printed = /```text\n(.*?)```/s.exec(guide)![1]!;

const SERVICE = '/transcoding.v1.StreamService';
const QUERY = '/transcoding.v1.EchoService/Query';
const MAX_BYTES = 10_000;

const rig = useRig('in-process', [gatekeeper().interceptor]);
const open: Served[] = [];
let reached: ReturnType<typeof reachedHandler>;
let port: number;

async function start(protocol: GatewayProtocol): Promise<number> {
  const gateway = new Gateway(rig.registry, rig.upstream, {
    protocols: ['connect', protocol],
    maxBodyBytes: MAX_BYTES,
  });
  const served = await serve((req, res) => {
    res.once('close', () => (reached = reachedHandler(req)));
    gateway.handle(req, res);
  });
  open.push(served);
  return served.port;
}

beforeAll(async () => {
  port = await start(jsonLines);
});
afterAll(() => Promise.all(open.map((it) => it.close())));

async function call(path: string, body: string, headers: object = CREDENTIALS, at = port) {
  const sent = { 'content-type': 'application/jsonl', ...headers };
  const { status, text } = await ask(at, path, { method: 'POST', headers: sent, body });
  const lines = text.trim().split('\n');
  return { status, text, end: (JSON.parse(lines.at(-1)!) as { end?: object }).end };
}

describe('a protocol of an app', () => {
  it('is the one that the guide shows', () => {
    expect(guide).toContain(code);
  });

  it('serves unary calls and streams, next to the others', async () => {
    expect((await call(QUERY, '{"str":"a"}\n')).text).toBe(
      '{"message":{"str":"a"}}\n{"end":{"code":"OK"}}\n',
    );
    expect((await call(`${SERVICE}/Count`, '{"to":2}\n')).text).toBe(
      '{"message":{"number":1}}\n{"message":{"number":2}}\n{"end":{"code":"OK"}}\n',
    );
    const json = { 'content-type': 'application/json', ...CREDENTIALS };
    const { json: byConnect } = await ask(port, QUERY, {
      method: 'POST',
      headers: json,
      body: '{}',
    });
    expect(byConnect).toEqual({});
  });

  it('serves streams of requests in pieces of a byte', async () => {
    const client = await rawHttp(port);
    const at = printed.indexOf('{"message"');
    const [requests, answers] = [printed.slice(0, at), printed.slice(at).trim().split('\n')];
    await client.send(
      `POST ${SERVICE}/Sum HTTP/1.1\r\nhost: x\r\ncontent-type: application/jsonl\r\n` +
        `authorization: ${CREDENTIALS.authorization}\r\ncontent-length: ${requests.length}\r\n\r\n`,
    );
    for (const byte of requests) await client.send(byte);
    const answer = await client.until(answers.at(-1)!);
    for (const line of answers) expect(answer).toContain(line);
    client.socket.destroy();
  });

  it('gets no request of a caller who is not let in, and its name is in events', async () => {
    for (const path of [QUERY, `${SERVICE}/Sum`]) {
      const { end } = await call(path, 'not JSON\n', {});
      expect(end).toEqual({ code: 'UNAUTHENTICATED', message: 'who are you?' });
    }
    expect(reached).toMatchObject({ protocol: 'json-lines', handler: `${SERVICE}/Sum` });
  });

  it.each([
    ['a line that is no message', '{"number":"x"}\n', 'INVALID_ARGUMENT'],
    ['a line without its end', '{"number":1}\n{"num', 'INVALID_ARGUMENT'],
    ['a line that is too long', `{"padding":"${'x'.repeat(MAX_BYTES)}"}\n`, 'RESOURCE_EXHAUSTED'],
  ])('ends a call with a status for %s', async (_what, body, status) => {
    expect((await call(`${SERVICE}/Sum`, body)).end).toMatchObject({ code: status });
  });

  it('may have no name of another one, and none twice', () => {
    const make = (...protocols: GatewayProtocol[]) =>
      new Gateway(rig.registry, rig.upstream, { protocols });
    expect(() => make({ ...jsonLines, name: 'grpc' })).toThrow('cannot be called "grpc"');
    expect(() => make(jsonLines, jsonLines)).toThrow('have the same name');
    expect(() => make({ name: 'x' } as never)).toThrow('is not a protocol of the gateway');
  });

  it.each<[string, (form: RpcForm) => Partial<RpcForm>, object | undefined]>([
    [
      'read',
      () => {
        throw new StatusError(Code.UNIMPLEMENTED, 'not spoken here');
      },
      undefined,
    ],
    [
      'timeout',
      () => ({
        timeout: () => {
          throw new Error('broken');
        },
      }),
      { code: 'INTERNAL' },
    ],
    [
      'message',
      ({ answer }) => ({
        answer: {
          begin: (headers) => answer.begin(headers),
          message: () => {
            throw new Error('broken');
          },
          end: (outcome) => answer.end(outcome),
        },
      }),
      { code: 'INTERNAL' },
    ],
  ])('that throws in %s ends its own call alone', async (_what, change, end) => {
    const broken: GatewayProtocol = {
      ...jsonLines,
      read(request, context) {
        const form = jsonLines.read(request, context);
        return form && { ...form, ...change(form) };
      },
    };
    const at = await start(broken);
    const { end: given, status } = await call(QUERY, '{}\n', CREDENTIALS, at);
    if (end === undefined) expect(status).toBe(501);
    else expect(given).toMatchObject(end);
  });

  it('whose end throws loses its connection', async () => {
    const at = await start({
      ...jsonLines,
      read(request, context) {
        const form = jsonLines.read(request, context)!;
        const end = (): never => {
          throw new Error('broken');
        };
        return { ...form, answer: { begin: () => {}, message: () => true, end } };
      },
    });
    const client = await rawHttp(at);
    await client.send(
      `POST ${QUERY} HTTP/1.1\r\nhost: x\r\ncontent-type: application/jsonl\r\n` +
        `authorization: ${CREDENTIALS.authorization}\r\ncontent-length: 3\r\n\r\n{}\n`,
    );
    await once(client.socket, 'close');
    expect((await call(QUERY, '{"str":"a"}\n')).status).toBe(200);
  });
});
