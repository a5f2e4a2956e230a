import { describe, expect, it } from '@jest/globals';
import { until } from '../../../../tools/testing/until.js';
import { Recorded, type SpanTree } from '../spans.fixture.js';
import { DOORS, type DoorName, METHODS, type Method, openDoors } from './doors.fixture.js';

type Status = SpanTree['status'];

/** What begins the call, the client's span where it goes over a network, and the server's. */
function expectedTree(door: DoorName, method: Method, client: Status, server: Status): SpanTree {
  const name = `apix.testdata.Probe/${METHODS[method]}`;
  const served: SpanTree = { name, kind: 'SERVER', status: server, children: [] };
  const made: SpanTree = { name, kind: 'CLIENT', status: client, children: [served] };
  const call = door.endsWith('network') ? made : served;
  if (isTalk(door, method)) return call;
  const children = [call];
  return door.startsWith('gateway')
    ? { name: 'http', kind: 'SERVER', status: 'UNSET', children }
    : { name: 'caller', kind: 'INTERNAL', status: 'UNSET', children };
}

/** Whether the call goes over a WebSocket, of which nothing makes a span here. */
const isTalk = (door: DoorName, method: Method): boolean =>
  door.startsWith('gateway') && (method === 'clientStream' || method === 'bidiStream');

const spansOf = (door: DoorName, method: Method): number =>
  (door.endsWith('network') ? 2 : 1) + (isTalk(door, method) ? 0 : 1);
const codesOf = (recorded: Recorded): unknown[] =>
  recorded.spans.map(({ attributes }) => attributes['rpc.status_code']).filter(Boolean);

const ROWS = DOORS.flatMap((door) =>
  Object.keys(METHODS).map((method) => [door, method as Method] as const),
);

describe.each(ROWS)('%s: the spans of %s', (door, method) => {
  const settled = async (recorded: Recorded): Promise<void> => {
    await until(() => recorded.spans.length >= spansOf(door, method));
    // One that is ended a second time would be told of again.
    for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };

  it.each([
    ['answered', { action: 'answer' }, 'UNSET', 'UNSET', 'OK'],
    ['thrown', { action: 'throw' }, 'ERROR', 'ERROR', 'INTERNAL'],
    ['denied', { action: 'answer', isDenied: true }, 'ERROR', 'UNSET', 'PERMISSION_DENIED'],
  ] as const)('of a call that is %s end once', async (_, plan, client, server, code) => {
    const recorded = new Recorded();
    const { doors } = await openDoors();
    await doors[door](method, plan);
    await settled(recorded);
    expect(recorded.trees).toEqual([expectedTree(door, method, client, server)]);
    expect(new Set(codesOf(recorded))).toEqual(new Set([code]));
  });

  it('of a call that its caller cancels end once', async () => {
    const recorded = new Recorded();
    const { doors, begun } = await openDoors();
    const gone = new AbortController();
    const call = doors[door](method, { action: 'hang', signal: gone.signal });
    await until(() => begun() === 1);
    gone.abort();
    await call;
    await settled(recorded);
    expect(recorded.trees).toEqual([expectedTree(door, method, 'ERROR', 'UNSET')]);
    expect(new Set(codesOf(recorded))).toEqual(new Set(['CANCELLED']));
  });

  it('of a call that runs out of time end once', async () => {
    const recorded = new Recorded();
    const { doors } = await openDoors();
    await doors[door](method, { action: 'hang', timeoutMs: 1_000 });
    await settled(recorded);
    const ended = recorded.spans.map(({ kind, attributes, status }) => [kind, attributes, status]);
    expect(ended).toHaveLength(spansOf(door, method));
    // A server that hears late of the end of a call takes it for a cancellation.
    const codes = codesOf(recorded).filter((code) => code !== 'CANCELLED');
    expect(new Set(codes)).toEqual(new Set(['DEADLINE_EXCEEDED']));
  });
});
