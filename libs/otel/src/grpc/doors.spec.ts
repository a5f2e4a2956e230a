import { afterEach, describe, expect, it } from '@jest/globals';
import { until } from '../../../../tools/testing/until.js';
import { RecordedSpans, forgetSpans } from '../recorded-spans.fixture.js';
import { DOORS, type DoorName, METHODS, type Method, openDoors } from './doors.fixture.js';

afterEach(forgetSpans);

/** The types of the errors of both ends; none for a call that has not failed there. */
interface Errors {
  readonly client?: string;
  readonly server?: string;
}

/** What begins the call, the client's span where it goes over a network, and the server's. */
function expectedPaths(door: DoorName, method: Method, { client, server }: Errors): string[] {
  const name = `apix.testdata.Probe/${METHODS[method]}`;
  const failed = (type?: string): string => (type === undefined ? '' : ` ERROR ${type}`);
  const way = [`SERVER ${name}${failed(server)}`];
  if (door.endsWith('network')) way.unshift(`CLIENT ${name}${failed(client)}`);
  if (!isTalk(door, method)) {
    way.unshift(door.startsWith('gateway') ? 'SERVER http' : 'INTERNAL caller');
  }
  return way.map((_, depth) => way.slice(0, depth + 1).join(' > '));
}

/** Whether the call goes over a WebSocket, of which nothing makes a span here. */
const isTalk = (door: DoorName, method: Method): boolean =>
  door.startsWith('gateway') && (method === 'clientStream' || method === 'bidiStream');

const spansOf = (door: DoorName, method: Method): number =>
  (door.endsWith('network') ? 2 : 1) + (isTalk(door, method) ? 0 : 1);
const codesOf = (recorded: RecordedSpans): unknown[] =>
  recorded.all.map(({ attributes }) => attributes['rpc.status_code']).filter(Boolean);

const ROWS = DOORS.flatMap((door) =>
  Object.keys(METHODS).map((method) => [door, method as Method] as const),
);

describe.each(ROWS)('%s: the spans of %s', (door, method) => {
  const settled = async (recorded: RecordedSpans): Promise<void> => {
    await until(() => recorded.all.length >= spansOf(door, method));
    // One that is ended a second time would be reported again.
    for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };

  it.each([
    ['answered', { action: 'answer' }, {}, 'OK'],
    ['thrown', { action: 'throw' }, { client: 'INTERNAL', server: 'INTERNAL' }, 'INTERNAL'],
    [
      'denied',
      { action: 'answer', isDenied: true },
      { client: 'PERMISSION_DENIED' },
      'PERMISSION_DENIED',
    ],
  ] as const)('of a call that is %s end once', async (_, plan, errors, code) => {
    const recorded = new RecordedSpans();
    const { doors } = await openDoors();
    await doors[door](method, plan);
    await settled(recorded);
    expect(recorded.paths).toEqual(expectedPaths(door, method, errors));
    expect(new Set(codesOf(recorded))).toEqual(new Set([code]));
  });

  it('of a call that its caller cancels end once', async () => {
    const recorded = new RecordedSpans();
    const { doors, begun } = await openDoors();
    const gone = new AbortController();
    const call = doors[door](method, { action: 'hang', signal: gone.signal });
    await until(() => begun() === 1);
    gone.abort();
    await call;
    await settled(recorded);
    expect(recorded.paths).toEqual(expectedPaths(door, method, { client: 'CANCELLED' }));
    expect(new Set(codesOf(recorded))).toEqual(new Set(['CANCELLED']));
  });

  it('of a call that runs out of time end once', async () => {
    const recorded = new RecordedSpans();
    const { doors } = await openDoors();
    await doors[door](method, { action: 'hang', timeoutMs: 1_000 });
    await settled(recorded);
    const ended = recorded.all.map(({ kind, attributes, status }) => [kind, attributes, status]);
    expect(ended).toHaveLength(spansOf(door, method));
    // A server that hears late of the end of a call takes it for a cancellation.
    const codes = codesOf(recorded).filter((code) => code !== 'CANCELLED');
    expect(new Set(codes)).toEqual(new Set(['DEADLINE_EXCEEDED']));
  });
});
