import { grpcCall } from '../grpc-call.js';
import { asked, oneOf, usual } from '../knock.js';
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
  const results: string[] = [];
  for (const wanted of IDS) {
    const id =
      door === 'gRPC'
        ? await grpcId(site.portOf(door), wanted)
        : (await asked(site, door, usual(door, 'porch'), { 'x-request-id': wanted })).answer
            .headers['x-request-id'];
    if (typeof id !== 'string') results.push(`no id for ${JSON.stringify(wanted)}`);
    else {
      const behind = door.endsWith('over the network') ? await site.logs.house.of(id) : ['one'];
      const events = [(await site.logOf(door).of(id)).length, behind.length];
      const isOne = events.every((count) => count === 1);
      results.push(
        isOne ? 'one id' : `${events.join(' and ')} events for ${JSON.stringify(wanted)}`,
      );
    }
  }
  return oneOf(results);
};

async function grpcId(port: number, wanted: string): Promise<unknown> {
  const path = '/strangers.v1.Porch/Greet';
  const { headers } = await grpcCall(port, { path, headers: { 'x-request-id': wanted } });
  return headers['x-request-id'];
}
