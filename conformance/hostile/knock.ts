import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { WebSocket } from 'ws';
import { frame, grpcCall } from './grpc-call.js';
import { type HttpAnswer, type HttpRequest, httpCall } from './http-call.js';
import type { Event } from './log-file.js';
import { toolBody, toolRequest, toolStatusIn } from './mcp-call.js';
import type { Door, Site } from './site.js';

/** How long an answer may take, in milliseconds. */
const PATIENCE_MS = 10_000;

/** What a request asks for behind a door: something for keepers alone, or for everybody. */
export type Target = 'vault' | 'porch';

const HTTP: Readonly<Record<string, (target: Target) => HttpRequest>> = {
  REST: (target) => json(`/api/v1/${target}`),
  Connect: (target) => json(`/api${methodOf(target)}`),
  'gRPC-Web': (target) => ({
    ...json(`/api${methodOf(target)}`),
    headers: { 'content-type': 'application/grpc-web+json' },
    body: frame(Buffer.from('{"text":"hello"}')),
  }),
  HTTP: (target) => json(target === 'vault' ? '/desk' : '/desk/open'),
  MCP: (target) => toolRequest(toolOf(target), '{"text":"hello"}'),
  SSE: (target) => ({
    ...(target === 'vault' ? json('/api/v1/vault:follow') : { path: '/api/v1/porch:watch' }),
    headers: { accept: 'text/event-stream', 'content-type': 'application/json' },
  }),
};

/** A message of JSON as the body of the request for a target at a door of HTTP. */
export function bodyAt(door: Door, json: string, target: Target): string | Uint8Array {
  if (door === 'MCP') return toolBody(toolOf(target), json);
  return door.startsWith('gRPC-Web') ? frame(Buffer.from(json)) : json;
}

/** A request for another method of the porch, without a field, at a door whose requests name methods. */
export function porchRequest(door: Door, method: string): HttpRequest {
  if (door === 'MCP') return toolRequest(`Porch_${method}`, '{}');
  const path = methodPath(door, `/strangers.v1.Porch/${method}`);
  return { ...usual(door, 'porch'), path, body: bodyAt(door, '{}', 'porch') };
}

/** The path at which a gRPC method is served, `/<package.Service>/<Method>`. */
export function methodPath(door: Door, method: string): string {
  return door === 'gRPC' ? method : `/api${method}`;
}

function json(path: string): HttpRequest {
  const headers = { 'content-type': 'application/json' };
  return { method: 'POST', path, headers, body: '{"text":"hello"}' };
}

/** The method of gRPC that a request is for. */
function methodOf(target: Target): string {
  return target === 'vault' ? '/strangers.v1.Vault/Write' : '/strangers.v1.Porch/Echo';
}

function toolOf(target: Target): string {
  return target === 'vault' ? 'Vault_Write' : 'Porch_Echo';
}

/** The request that a well-behaved client would make at a door of HTTP. */
export function usual(door: Door, target: Target): HttpRequest {
  return HTTP[door.split(' ')[0]!]!(target);
}

/** Comes in as a well-behaved client would, with these headers: what is answered, and logged. */
export async function knock(
  site: Site,
  door: Door,
  target: Target,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const [kind] = door.split(' ');
  if (kind === 'messages') return message(site.messagesPort, { pattern: target, data: 'hello' });
  const id = site.id();
  const sent = { 'x-request-id': id, ...headers };
  if (kind === 'WebSocket') {
    const path = `/api/v1/${target}:talk`;
    const status = await handshake(site.portOf(door), path, sent);
    return `${status} ${await logged(site, door, id)}`;
  }
  if (kind === 'gRPC') {
    const path = methodPath(door, methodOf(target));
    const { status } = await grpcCall(site.portOf(door), { path, headers: sent });
    return `${status} ${await logged(site, door, id)}`;
  }
  if (kind === 'gRPC-Web') {
    const { answer, log } = await asked(site, door, usual(door, target), headers);
    return `${grpcStatusIn(answer)} ${log}`;
  }
  return ask(site, door, usual(door, target), headers);
}

/** The status of an answer by gRPC-Web, in its headers or in its last frame; undefined if it has none. */
export function grpcStatusIn({ headers, text }: HttpAnswer): string | undefined {
  const { 'grpc-status': status = /grpc-status: (\d+)/.exec(text)?.[1] } = headers;
  return status === undefined ? undefined : String(status);
}

/** Makes an HTTP request: its status, and what the log says of it. */
export async function ask(
  site: Site,
  door: Door,
  request: HttpRequest,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { answer, log } = await asked(site, door, request, headers);
  return `${door === 'MCP' ? toolStatusIn(answer) : answer.status} ${log}`;
}

/** As {@link ask}, with the whole answer. */
export async function asked(
  site: Site,
  door: Door,
  request: HttpRequest,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly answer: HttpAnswer; readonly log: string }> {
  const id = site.id();
  const sent = { ...request.headers, 'x-request-id': id, ...headers };
  const answer = await httpCall(site.portOf(door), { ...request, headers: sent });
  return { answer, log: await logged(site, door, id) };
}

/** What the log says of a request, such as `logged 401` or `logged UNAUTHENTICATED`. */
export async function logged(site: Site, door: Door, id: string): Promise<string> {
  const events = await site.logOf(door).of(id);
  return events.length === 0 ? 'not logged' : `logged ${events.map(statusIn).join(' and ')}`;
}

function statusIn({ Status, code, ...rest }: Event): string {
  return String(Status ?? code ?? rest['@mt']);
}

/** One text for several results: each that came, once. */
export function oneOf(results: readonly string[]): string {
  return [...new Set(results)].toSorted().join(' | ');
}

/** The status of a handshake; of one that was granted, the code of the close that follows soon. */
export function handshake(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const ws = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers });
  return new Promise((resolve) => {
    ws.on('unexpected-response', (request, refused) => {
      resolve(String(refused.statusCode));
      request.destroy();
    });
    ws.on('open', () => ws.send(''));
    ws.on('close', (code) => resolve(`101 closed ${code}`));
    ws.on('error', (error) => resolve(`no handshake: ${error.message}`));
    setTimeout(() => {
      resolve('no answer');
      ws.terminate();
    }, PATIENCE_MS).unref();
  });
}

/** Sends one message by Nest's TCP transport; resolves with what it is answered, as text. */
export function message(port: number, packet: object): Promise<string> {
  const text = JSON.stringify({ ...packet, id: randomUUID() });
  return tcp(port, `${text.length}#${text}`);
}

/** Sends text to the TCP transport; resolves with what comes, or `closed`. */
export function tcp(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const tell = (what: string): void => {
      resolve(what);
      socket.destroy();
    };
    socket.on('error', () => {});
    socket.on('data', (data) => tell(data.toString()));
    socket.on('close', () => tell('closed'));
    socket.setTimeout(PATIENCE_MS, () => tell('no answer'));
    socket.write(text);
  });
}
