import {
  type BoundOutgoingStage,
  type CallOutcome,
  OUTGOING_STAGE,
  type OutgoingStage,
} from '@apix/contracts';
import type { CallTransport } from '@apix/grpc-client/transport';
import type { CallHead, CallListener } from '@apix/calls';
import { Metadata, status } from '@grpc/grpc-js';
import { expect, it } from '@jest/globals';
import { transcodingRegistry } from '../fixtures/echo-server.fixture.js';
import { StagedCalls } from './staged-calls.js';

const method = transcodingRegistry().services[0]!.methods[0]!;
const told: string[] = [];

/** A transport whose calls end at once, well. */
const transport = {
  target: 'shop:50051',
  open(head: CallHead, listener: CallListener) {
    told.push(`opened with ${String(head.metadata.get('x-stage'))}`);
    const end = { code: status.OK, details: '', metadata: new Metadata() };
    listener.onEnd({ status: end, fromServer: true });
    return {};
  },
} as unknown as CallTransport;

function stage(name: string, bound: Partial<BoundOutgoingStage> = {}): OutgoingStage {
  return {
    [OUTGOING_STAGE]: true,
    name,
    bind() {
      told.push(`${name} bound`);
      return {
        onCall: ({ metadata }) => {
          told.push(`${name} call`);
          metadata.set('x-stage', name);
        },
        onEnd: (_call, { code }) => void told.push(`${name} end ${code}`),
        ...bound,
      };
    },
  };
}

it('stages are bound once, run before each call, and see its end in order', () => {
  const throwing = stage('b', {
    onEnd: () => {
      throw new Error('no');
    },
  });
  const calls = new StagedCalls(transport, [stage('a'), throwing]);
  const listener = { onHeaders() {}, onMessage() {}, onEnd: () => void told.push('ended') };
  const call = ['a call', 'b call', 'opened with b', 'a end 0', 'ended'];
  for (const expected of [['a bound', 'b bound', ...call], call]) {
    told.splice(0);
    const metadata = new Metadata();
    calls.open({ method, path: '/a.B/C', metadata, deadline: Infinity }, listener);
    expect(told).toEqual(expected);
  }
});

it.each([
  [status.OK, true, false],
  [status.UNAVAILABLE, false, false],
  [status.CANCELLED, true, false],
  [status.DEADLINE_EXCEEDED, true, false],
  [status.CANCELLED, false, true],
  [status.DEADLINE_EXCEEDED, false, true],
])('a call of status %s, by the server: %s, is cancelled: %s', (code, fromServer, cancelled) => {
  const ending = {
    target: 'shop:50051',
    open(_head: CallHead, listener: CallListener) {
      listener.onEnd({ status: { code, details: '', metadata: new Metadata() }, fromServer });
      return {};
    },
  } as unknown as CallTransport;
  const outcomes: CallOutcome[] = [];
  const onEnd = (_call: unknown, outcome: CallOutcome): void => void outcomes.push(outcome);
  const listener = { onHeaders() {}, onMessage() {}, onEnd() {} };
  const head = { method, path: '/a.B/C', metadata: new Metadata(), deadline: Infinity };
  new StagedCalls(ending, [stage('a', { onEnd })]).open(head, listener);
  expect(outcomes).toEqual([{ code, message: '', cancelled }]);
});
