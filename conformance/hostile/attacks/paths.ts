import { END_HEADERS, END_STREAM, FRAME, frame } from '../../../tools/testing/http2-frames.js';
import { callHeaders, callOn, grpcCall, grpcSession } from '../grpc-call.js';
import { httpCall } from '../http-call.js';
import { methodPath, oneOf, usual } from '../knock.js';
import { closedWithin, rawHttp2 } from '../raw-http2.js';
import type { Attack } from '../row.js';

/** Names that are almost those of a method for keepers. */
const PATHS: readonly string[] = [
  'strangers.v1.Vault/Write',
  '//strangers.v1.Vault/Write',
  '/strangers.v1.Vault/Write/',
  '/strangers.v1.Vault//Write',
  '/strangers.v1.Vault%2FWrite',
  '/strangers.v1.Vault/%57rite',
  '/STRANGERS.V1.VAULT/WRITE',
  '/strangers.v1.Vault/write',
  '/strangers.v1.Porch/../strangers.v1.Vault/Write',
  '/strangers.v1.Vault/__proto__',
  '/__proto__/constructor',
  '/',
];

/** On a server of gRPC alone a path has no query; elsewhere these are the method, under its own policy. */
const QUERIES: readonly string[] = ['/strangers.v1.Vault/Write?x=1', '/strangers.v1.Vault/Write#x'];

const KEEPER = { authorization: 'Bearer keeper' };

/** Each must be unknown, also with the rights to call the method meant. */
export const oddPaths: Attack = async (site, door) => {
  const session = grpcSession(site.portOf(door));
  const results: string[] = [];
  for (const name of door === 'gRPC' ? [...PATHS, ...QUERIES] : PATHS) {
    const path = methodPath(door, name);
    const { status } = await callOn(session, { path, headers: KEEPER });
    const isRefused = ['12', 'HTTP 400', 'HTTP 404'].includes(status) || status.startsWith('reset');
    results.push(isRefused ? 'refused' : `${status} to ${path}`);
  }
  session.destroy();
  return oneOf(results);
};

/** The same with a message of Connect or gRPC-Web. */
export const oddRpcPaths: Attack = async (site, door) => {
  const results: string[] = [];
  for (const name of PATHS) {
    const request = usual(door, 'vault');
    const path = methodPath(door, name);
    const headers = { ...request.headers, ...KEEPER };
    const { status } = await httpCall(site.portOf(door), { ...request, path, headers });
    results.push([400, 404].includes(status) ? 'refused' : `${status} to ${path}`);
  }
  return oneOf(results);
};

/** A NUL in a path, which a client of Node cannot send. */
export const nulInPath: Attack = async (site, door) => {
  const raw = await rawHttp2(site, door);
  const headers = callHeaders(methodPath(door, '/strangers.v1.Vault/Write\0'), KEEPER);
  raw.socket.write(frame(FRAME.headers, END_HEADERS | END_STREAM, 1, headers));
  await closedWithin(raw, 500);
  const path = methodPath(door, '/strangers.v1.Porch/Greet');
  const { status } = await grpcCall(site.portOf(door), { path });
  return `the next call gets ${status}`;
};

/** A method that an exempt service does not have. */
export const unknownOfExempt: Attack = async (site, door) => {
  const { status } = await grpcCall(site.portOf(door), { path: '/strangers.v1.Attic/Nope' });
  const known = await grpcCall(site.portOf(door), { path: '/strangers.v1.Attic/Look' });
  return `${status}, and ${known.status} to one that it has`;
};
