import { grpcCall } from '../grpc-call.js';
import { ask, asked, grpcStatusIn, logged, methodPath, porchRequest } from '../knock.js';
import type { HttpRequest } from '../http-call.js';
import type { Attack } from '../row.js';
import type { Door } from '../site.js';

/** A call of a method of the porch at a door of HTTP: by its rule, or by its name. */
function requestOf(door: Door, method: string): HttpRequest {
  if (door.startsWith('REST')) return { path: `/api/v1/porch:${method.toLowerCase()}` };
  return porchRequest(door, method);
}

/** An error of a handler that carries metadata. */
export const errorMetadata: Attack = async (site, door) => {
  if (door.startsWith('gRPC') && !door.startsWith('gRPC-Web')) {
    const path = methodPath(door, '/strangers.v1.Porch/Fail');
    const { status, headers } = await grpcCall(site.portOf(door), { path });
    return `${status} with ${String(headers['x-reason'])}`;
  }
  const { answer } = await asked(site, door, requestOf(door, 'Fail'));
  const { headers, text } = answer;
  const names = ['grpc-trailer-x-reason', 'grpc-metadata-x-reason', 'trailer-x-reason', 'x-reason'];
  // Of gRPC-Web it may be in the last frame.
  const [, last] = /x-reason: (.*)\r/.exec(text) ?? [];
  const reason = names.map((name) => headers[name]).find((value) => value !== undefined) ?? last;
  return `${grpcStatusIn(answer) ?? answer.status} with ${String(reason)}`;
};

/** A header that may come once, set twice by a handler: some status has to come. */
export const doubleHeader: Attack = async (site, door) => {
  if (door.startsWith('gRPC') && !door.startsWith('gRPC-Web')) {
    const id = site.id();
    const { status } = await grpcCall(site.portOf(door), {
      path: methodPath(door, '/strangers.v1.Porch/Tag'),
      headers: { 'x-request-id': id },
    });
    return `${status} ${await logged(site, door, id)}`;
  }
  return ask(site, door, requestOf(door, 'Tag'));
};

/** More than what a client of grpc-js takes by default. */
export const tooLargeAnswer: Attack = (site, door) => ask(site, door, requestOf(door, 'Fill'));
