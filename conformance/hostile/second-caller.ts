import { Agent, request } from 'node:http';
import { Client, credentials, status } from '@grpc/grpc-js';
import { note } from './grpc-call.js';
import type { HttpRequest } from './http-call.js';
import { toolRequest } from './mcp-call.js';

/**
 * The caller who means well, in a process of its own: one call each 20 ms, by turns over gRPC, REST
 * in-process, REST over the network and MCP. Told the ports, it begins; asked for a report, it gives one.
 */
export interface CallerReport {
  readonly served: number;
  /** What went wrong, each once. */
  readonly failures: readonly string[];
  readonly slowestMs: number;
}

export interface CallerPorts {
  readonly grpc: number;
  readonly rest: number;
  readonly network: number;
}

const EVERY_MS = 20;
/** Longer than this is not served. */
const PATIENCE_MS = 8_000;

const agent = new Agent({ keepAlive: true });
let client: Client | undefined;
let ports: CallerPorts | undefined;
let turn = 0;
let generation = 0;
let served = 0;
let slowestMs = 0;
let failures = new Set<string>();
const underWay = new Map<object, number>();

process.on('message', (message: CallerPorts | 'report') => {
  if (message !== 'report') {
    begin(message);
    return;
  }
  const now = performance.now();
  for (const begun of underWay.values()) slowestMs = Math.max(slowestMs, now - begun);
  const report: CallerReport = { served, failures: [...failures], slowestMs };
  process.send!(report);
  served = 0;
  slowestMs = 0;
  failures = new Set();
});
process.on('disconnect', () => process.exit());

function begin(said: CallerPorts): void {
  generation += 1;
  underWay.clear();
  client?.close();
  client = new Client(`127.0.0.1:${said.grpc}`, credentials.createInsecure());
  ports = said;
}

setInterval(() => {
  if (ports === undefined) return;
  turn += 1;
  const ways = [callGrpc, () => callRest('REST in-process', ports!.rest), callNetwork, callTool];
  ways[turn % ways.length]!();
}, EVERY_MS);

function callNetwork(): void {
  callRest('REST over the network', ports!.network);
}

/** Counts one call; an answer of a process that was replaced meanwhile does not count. */
function counted(way: string): (failure?: string) => void {
  const [mine, begun, key] = [generation, performance.now(), {}];
  underWay.set(key, begun);
  return (failure) => {
    if (mine !== generation || !underWay.delete(key)) return;
    slowestMs = Math.max(slowestMs, performance.now() - begun);
    if (failure === undefined) served += 1;
    else failures.add(`${way}: ${failure}`);
  };
}

function callGrpc(): void {
  const done = counted('gRPC');
  client!.makeUnaryRequest(
    '/strangers.v1.Porch/Greet',
    (bytes: Buffer) => bytes,
    (bytes: Buffer) => bytes,
    note('neighbour'),
    { deadline: Date.now() + PATIENCE_MS },
    (error) => done(error === null ? undefined : status[error.code]),
  );
}

function callRest(way: string, port: number): void {
  callHttp(way, port, { path: '/api/v1/porch/neighbour' });
}

function callTool(): void {
  callHttp('MCP', ports!.rest, toolRequest('Porch_Greet', '{"text":"neighbour"}'));
}

function callHttp(way: string, port: number, { body, ...asked }: HttpRequest): void {
  const done = counted(way);
  const options = { host: '127.0.0.1', port, ...asked, agent };
  const req = request({ ...options, signal: AbortSignal.timeout(PATIENCE_MS) }, (res) => {
    res.resume();
    res.on('end', () => done(res.statusCode === 200 ? undefined : `status ${res.statusCode}`));
    res.on('error', (error) => done(error.message));
  });
  req.on('error', (error) => {
    // A kept connection that the server had just given up (RFC 9112, section 9.5).
    if (req.reusedSocket && 'code' in error && error.code === 'ECONNRESET') done();
    else done(error.message);
  });
  req.end(body);
}
