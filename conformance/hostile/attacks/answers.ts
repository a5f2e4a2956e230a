import { grpcCall } from '../grpc-call.js';
import { asked, logged } from '../knock.js';
import type { Attack } from '../row.js';

/** An error of a handler that carries metadata. */
export const errorMetadata: Attack = async (site, door) => {
  if (door === 'gRPC') {
    const { status, headers } = await grpcCall(site.portOf(door), {
      path: '/strangers.v1.Porch/Fail',
    });
    return `${status} with ${String(headers['x-reason'])}`;
  }
  const { answer } = await asked(site, door, { path: '/api/v1/porch:fail' });
  const { headers } = answer;
  const reason = headers['grpc-trailer-x-reason'] ?? headers['grpc-metadata-x-reason'];
  return `${answer.status} with ${String(reason)}`;
};

/** A header that may come once, set twice by a handler: some status has to come. */
export const doubleHeader: Attack = async (site, door) => {
  if (door === 'gRPC') {
    const id = site.id();
    const { status } = await grpcCall(site.portOf(door), {
      path: '/strangers.v1.Porch/Tag',
      headers: { 'x-request-id': id },
    });
    return `${status} ${await logged(site, door, id)}`;
  }
  const { answer, log } = await asked(site, door, { path: '/api/v1/porch:tag' });
  return `${answer.status} ${log}`;
};

/** More than what a client of grpc-js takes by default. */
export const tooLargeAnswer: Attack = async (site, door) => {
  const { answer, log } = await asked(site, door, { path: '/api/v1/porch:fill' });
  return `${answer.status} ${log}`;
};
