import { grpcCall } from '../grpc-call.js';
import { type HttpRequest, httpCall } from '../http-call.js';
import { methodPath, oneOf, usual } from '../knock.js';
import type { Attack } from '../row.js';

/** Ids that one reader may take and another not. */
const IDS: readonly string[] = [
  'a b',
  'a,b',
  'x'.repeat(128),
  'x'.repeat(129),
  'x'.repeat(257),
  '"quoted"',
  'semi;colon',
  '~',
  '\u00e9',
  '{brace}',
  ' padded ',
];

/** The id of an answer is that of its one event, whatever was asked for. */
export const requestIds: Attack = async (site, door) => {
  const isGrpc = door === 'gRPC' || door === 'gRPC on the shared port';
  const request: HttpRequest = isGrpc ? { path: '' } : usual(door, 'porch');
  const results: string[] = [];
  for (const wanted of IDS) {
    const headers = { 'x-request-id': wanted };
    const port = site.portOf(door);
    const answer = isGrpc
      ? await grpcCall(port, { path: methodPath(door, '/strangers.v1.Porch/Greet'), headers })
      : await httpCall(port, { ...request, headers: { ...request.headers, ...headers } });
    const { 'x-request-id': id } = answer.headers;
    if (typeof id !== 'string') results.push(`no id for ${JSON.stringify(wanted)}`);
    else {
      const behind =
        door.endsWith('over the network') || door === 'gRPC on the shared port'
          ? await site.logs.house.of(id)
          : ['one'];
      const events = [(await site.logOf(door).of(id)).length, behind.length];
      const isOne = events.every((count) => count === 1);
      results.push(
        isOne ? 'one id' : `${events.join(' and ')} events for ${JSON.stringify(wanted)}`,
      );
    }
  }
  return oneOf(results);
};
