import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import type { Call } from '@apix/calls';
import { stageInterceptor } from '@apix/calls/grpc';
import {
  type BoundCallStage,
  CALL_STAGE,
  type CallContext,
  type CallStage,
  Code,
  StatusError,
  codeName,
  deadlineAfter,
} from '@apix/contracts';
import { FORWARDED_KEY } from '@apix/contracts/internal';
import { fakeClock } from '@apix/contracts/testing';
import { fullMethodName } from '@apix/proto/core';
import { create } from '@bufbuild/protobuf';
import { Metadata, type ServiceError, type UntypedHandleCall, status } from '@grpc/grpc-js';
import { afterEach, describe, expect, it } from '@jest/globals';
import { probe } from '../../../grpc-client/src/client.fixture.js';
import { serviceDefinition } from '../descriptor/service-definition.js';
import { CallableServer } from './callable-server.js';
import { InProcessEntry } from './in-process-entry.js';
import { MAILBOX_ROOM } from './mailbox.js';
import {
  type AnyServerCall,
  type Handler,
  Link,
  type Respond,
  fromBytes,
  toBytes,
} from './transports.fixture.js';

const links: Link[] = [];
afterEach(() => {
  for (const link of links.splice(0)) link.close();
});

async function linkTo(
  handler: Handler,
  stage?: ConstructorParameters<typeof Link>[1],
): Promise<Link> {
  const link = new Link(handler, stage);
  links.push(link);
  await link.open('in-process');
  return link;
}

const ok: Handler = (_call, respond) => respond(null, { n: 1 });
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A handler that answers when it is told to. */
function heldUp(): { handler: Handler; release: () => void; begun: Promise<void> } {
  let release = (): void => {};
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const handler: Handler = (_call, respond) => {
    release = () => respond(null, { n: 1 });
    begin();
  };
  return { handler, release: () => release(), begun };
}

describe('draining', () => {
  it('waits for the calls under way and refuses new ones as UNAVAILABLE', async () => {
    const { handler, release, begun } = heldUp();
    const link = await linkTo(handler);
    const first = link.call('unary');
    await begun;
    let closed = false;
    const closing = link.door.close(deadlineAfter(Infinity)).then((left) => {
      closed = true;
      return left;
    });
    await link.call('unary');
    await turn();
    expect(closed).toBe(false);
    release();
    await first;
    expect(await closing).toBe(0);
    expect(link.trace.client).toEqual([
      'status UNAVAILABLE the in-process server does not take calls []',
      'headers []',
      'data {"n":1}',
      'status OK OK []',
    ]);
  });

  it('cuts off what is left at the deadline, and says how many', async () => {
    const { handler, begun } = heldUp();
    const link = await linkTo(handler);
    const call = link.call('unary');
    await begun;
    const clock = fakeClock();
    const closing = link.door.close(deadlineAfter(1_000, clock));
    await clock.advance(1_000);
    expect(await closing).toBe(1);
    await call;
    await link.ended;
    expect(link.trace.client).toEqual(['status UNAVAILABLE the in-process server has stopped []']);
    expect(link.trace.stage.at(-1)).toBe('end CANCELLED by the caller');
  });

  it('is over at once when there is no call', async () => {
    const link = await linkTo(ok);
    await link.call('unary');
    expect(await link.door.close(deadlineAfter(Infinity))).toBe(0);
    expect(link.door.active).toBe(0);
  });

  it('ends when the door is opened to a new server', async () => {
    const link = await linkTo(ok);
    await link.door.close(deadlineAfter(Infinity));
    link.reopen();
    await link.call('unary');
    expect(link.trace.client.at(-1)).toBe('status OK OK []');
  });
});

describe('a call', () => {
  it('of a method that nobody serves is UNIMPLEMENTED', async () => {
    const link = await linkTo(ok);
    const error = await new Promise<ServiceError | null>((resolve) => {
      link.client.makeUnaryRequest('/a.B/C', toBytes, fromBytes, '', resolve);
    });
    expect(error).toMatchObject({ code: status.UNIMPLEMENTED });
    expect(error?.details).toBe('The server does not implement the method /a.B/C');
    expect([link.door.serves('/a.B/C'), link.door.serves('/test.Kinds/unary')]).toEqual([
      false,
      true,
    ]);
  });

  it.each([
    [true, ['1']],
    [false, []],
  ])('is marked as forwarded by its metadata: %s', async (forwarded, values) => {
    const seen: CallContext[] = [];
    const link = await linkTo(ok, { onCall: (call) => void seen.push(call) });
    const metadata = new Metadata();
    for (const value of values) metadata.set(FORWARDED_KEY, value);
    await link.call('unary', metadata);
    expect(seen.map((call) => [call.forwarded, call.peer])).toEqual([[forwarded, { address: '' }]]);
    expect(seen[0]?.metadata.get(FORWARDED_KEY)).toEqual(values);
  });

  it('with a deadline beyond the reach of a timer does not fail at once', async () => {
    let left = 0;
    const link = await linkTo((call, respond) => {
      left = Number(call.getDeadline()) - Date.now();
      respond(null, { n: 1 });
    });
    const inFortyDays = Date.now() + 40 * 24 * 3_600_000;
    await link.call('unary', new Metadata(), { deadline: inFortyDays });
    expect(link.trace.client.at(-1)).toBe('status OK OK []');
    expect(left).toBeGreaterThan(2 ** 31 - 10_000);
    expect(left).toBeLessThan(2 ** 31);
  });

  it('that a stage refuses is not decoded', async () => {
    const link = await linkTo(ok, {
      onCall: () => {
        throw new StatusError(7, 'not you');
      },
    });
    await expect(link.ask('no JSON')).rejects.toMatchObject({ code: 7, details: 'not you' });
  });

  it('of a handler that is called itself ends with the call that it is part of', async () => {
    const inner: AnyServerCall[] = [];
    const link: Link = await linkTo((call, respond) => {
      if (call.metadata.get('x-inner').length > 0) {
        inner.push(call);
        return;
      }
      const metadata = new Metadata();
      metadata.set('x-inner', '1');
      void link.call('unary', metadata, { parent: call as never }).then(() => respond(null));
    });
    const { cancel } = link.start('unary');
    while (inner.length === 0) await turn();
    const cancelled = once(inner[0] as never, 'cancelled');
    cancel();
    await cancelled;
    expect(link.trace.client).toContain('status CANCELLED Cancelled by parent call []');
  });
});

describe('messages', () => {
  it('are copies, unless they are handed over', async () => {
    const kept: { n: number }[] = [];
    const answer = { n: 1 };
    const link = await linkTo((call, respond) => {
      kept.push(call.request as { n: number });
      respond(null, answer);
    });
    const request = { n: 5 };
    const got = await link.ask(request);
    request.n = 6;
    answer.n = 7;
    expect([kept, got]).toEqual([[{ n: 5 }], { n: 1 }]);
  });

  it('of a server are held back while the caller does not read', async () => {
    let written = 0;
    const link = await linkTo((call) => {
      const stream = call as AnyServerCall & NodeJS.EventEmitter;
      const fill = (): void => {
        while (written < 10_000) {
          written += 1;
          if (!stream.write({ n: written })) {
            stream.once('drain', fill);
            return;
          }
        }
        stream.end();
      };
      fill();
    });
    const { call } = link.start('serverStream');
    const stream = call as unknown as AsyncIterable<{ n: number }> & NodeJS.ReadableStream;
    stream.pause();
    for (let turns = 0; turns < 50; turns += 1) await turn();
    // The mailbox, and what the streams of Node at both ends hold by themselves.
    expect(written).toBeLessThanOrEqual(MAILBOX_ROOM + 2 * 16 + 2);
    expect(written).toBeGreaterThan(MAILBOX_ROOM);
    const numbers = [];
    for await (const { n } of stream) numbers.push(n);
    expect(numbers).toEqual(Array.from({ length: 10_000 }, (_, index) => index + 1));
  });

  it('of a client are held back while the handler does not read', async () => {
    let read: () => void = () => {};
    const link = await linkTo((call, respond) => {
      let sum = 0;
      read = () => {
        call.on('data', () => (sum += 1));
        call.on('end', () => respond(null, { sum }));
      };
    });
    const { call, done } = link.start('clientStream');
    const stream = call as unknown as NodeJS.WritableStream;
    let written = 0;
    const fill = (): void => {
      while (written < 10_000) {
        written += 1;
        if (!stream.write({ n: written } as never)) {
          stream.once('drain', fill);
          return;
        }
      }
      stream.end();
    };
    fill();
    for (let turns = 0; turns < 50; turns += 1) await turn();
    expect(written).toBeLessThanOrEqual(MAILBOX_ROOM + 2 * 16 + 2);
    read();
    await done;
    expect(link.trace.client).toContain('data {"sum":10000}');
  });

  it('let timers and I/O have their turn in between', async () => {
    const link = await linkTo((call) => {
      const stream = call as AnyServerCall & NodeJS.EventEmitter;
      const fill = (): void => {
        let room = true;
        while (room && !call.cancelled) room = stream.write({ n: 1 });
        stream.once('drain', fill);
      };
      fill();
    });
    const { call, cancel, done } = link.start('serverStream');
    call.on('data', () => {});
    await new Promise((resolve) => setTimeout(resolve, 1));
    cancel();
    await done;
    expect(link.trace.client).toContainEqual(expect.stringMatching(/^status CANCELLED/));
  });
});

describe('the asynchronous context', () => {
  it('is of each end its own, as over the wire', async () => {
    const storage = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    const link = await linkTo((call, respond: Respond) => {
      seen.push(`handler ${storage.getStore()}`);
      storage.enterWith('handler');
      call.on('cancelled', () => seen.push(`end ${storage.getStore()}`));
      respond(null, { n: 1 });
    });
    const call = (who: string) =>
      storage.run(who, async () => {
        const { call: made, done } = link.start('unary');
        made.on('status', () => seen.push(`client ${storage.getStore()}`));
        await done;
        await link.quiet();
      });
    await call('ada');
    await call('grace');
    expect(seen).toEqual([
      'handler undefined',
      'client ada',
      'end undefined',
      'handler undefined',
      'client grace',
      'end undefined',
    ]);
  });
});

describe('a request that a caller holds back', () => {
  const service = probe.services.find(({ typeName }) => typeName === 'apix.testdata.Probe')!;
  const method = service.methods.find(({ name }) => name === 'Unary')!;

  /** Begins a call without a request and gives when the server asks for it, and how the call ends. */
  function begin(onCall: NonNullable<BoundCallStage['onCall']>) {
    const stage: CallStage = { [CALL_STAGE]: true, name: 'letting-in', bind: () => ({ onCall }) };
    const interceptors = [stageInterceptor([stage], () => undefined)];
    const server = new CallableServer({ interceptors }, (path) => probe.method(path));
    const Unary = ((_call: unknown, respond: (error: null, answer: object) => void) =>
      respond(null, {})) as UntypedHandleCall;
    server.addService(serviceDefinition(service), { Unary });
    const entry = new InProcessEntry();
    entry.serve(server);
    const events: string[] = [];
    let call!: Call;
    const ended = new Promise<void>((resolve) => {
      const head = { method, path: fullMethodName(method), metadata: new Metadata() };
      call = entry.open(
        { ...head, deadline: Infinity },
        {
          onHeaders: () => {},
          onMessage: () => {},
          onEnd: ({ status: { code } }) => {
            events.push(`status ${code}`);
            resolve();
          },
        },
      );
      call.read();
    });
    call.whenWanted!(() => events.push('wanted'));
    return { call, events, ended };
  }

  it('is wanted once every stage has let the call in, and no sooner', async () => {
    let letIn = (): void => {};
    const onCall = () => new Promise<void>((resolve) => (letIn = resolve));
    const { call, events, ended } = begin(onCall);
    await turn();
    expect(events).toEqual([]);
    letIn();
    await turn();
    expect(events).toEqual(['wanted']);
    call.whenWanted!(() => events.push('wanted again'));
    await turn();
    call.send(create(method.input));
    call.halfClose();
    await ended;
    expect(events).toEqual(['wanted', 'wanted again', `status ${status.OK}`]);
  });

  it('is not wanted of a call that a stage refuses', async () => {
    const onCall = (): never => {
      throw new StatusError(Code.PERMISSION_DENIED, 'not you');
    };
    const { events, ended } = begin(onCall);
    await ended;
    await turn();
    expect(events).toEqual([`status ${status.PERMISSION_DENIED}`]);
  });

  it('is not wanted of a call that its caller has given up', async () => {
    let letIn = (): void => {};
    const onCall = () => new Promise<void>((resolve) => (letIn = resolve));
    const { call, events, ended } = begin(onCall);
    await turn();
    call.cancel();
    letIn();
    await ended;
    await turn();
    expect(events).toEqual([`status ${status.CANCELLED}`]);
  });
});

describe('a stream of which the caller gives up a response', () => {
  it.each<[string, unknown, string]>([
    ['is too large', { n: 'x'.repeat(5 * 1024 * 1024) }, 'status RESOURCE_EXHAUSTED'],
    ['cannot be read', 'no JSON', 'status INTERNAL'],
  ])('has one status, though its handler ended well, if it %s', async (_, response, expected) => {
    const link = await linkTo((call) => {
      call.write(response);
      call.end();
    });
    const call = link.door.clientInterceptor()(
      {
        method_definition: {
          path: '/test.Kinds/serverStream',
          requestStream: false,
          responseStream: true,
          requestSerialize: toBytes,
          responseDeserialize: fromBytes,
        },
      },
      () => {
        throw new Error('no channel is used');
      },
    );
    const events: string[] = [];
    call.start(new Metadata(), {
      onReceiveMessage: () => {
        events.push('message');
        call.startRead();
      },
      onReceiveStatus: ({ code }) => void events.push(`status ${codeName(code)}`),
    });
    call.sendMessage({ n: 0 });
    call.halfClose();
    call.startRead();
    await link.ended;
    await link.quiet();
    expect(events).toEqual([expected]);
  });
});
