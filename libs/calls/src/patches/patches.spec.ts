import {
  Metadata,
  type ServerInterceptingCallInterface,
  ServerInterceptingCall,
  type ServerInterceptor,
  status,
} from '@grpc/grpc-js';
import { describe, expect, it } from '@jest/globals';
import { interceptedServer } from '../grpc/echo-server.fixture.js';
import { watchStatus } from './watch-status.js';

type Server = Awaited<ReturnType<typeof interceptedServer>>;
type Call = ServerInterceptingCallInterface & Readonly<Record<string, unknown>>;

/** The calls that an interceptor was given, of a server with these others before it. */
async function serve(inner: readonly ServerInterceptor[] = []): Promise<[Server, Call[]]> {
  const calls: Call[] = [];
  const note: ServerInterceptor = (_, call) => {
    calls.push(call as unknown as Call);
    return new ServerInterceptingCall(call);
  };
  return [await interceptedServer([...inner, note]), calls];
}

describe('the call that grpc-js gives to an interceptor', () => {
  it('has the parts that are relied on', async () => {
    const [{ call }, calls] = await serve();
    await call('unary');
    const [base] = calls;
    expect(Object.hasOwn(base!, 'sendStatus')).toBe(false);
    expect(typeof base!.sendStatus).toBe('function');
    expect(typeof base!['checkCancelled']).toBe('function');
    expect(base!['nextCall']).toBeUndefined();
  });

  it('has the call of the connection inside where another interceptor is before', async () => {
    const [{ call }, calls] = await serve([(_, next) => new ServerInterceptingCall(next)]);
    await call('unary');
    expect(calls[0]).toBeInstanceOf(ServerInterceptingCall);
    expect(typeof (calls[0]!['nextCall'] as Call)['checkCancelled']).toBe('function');
  });
});

describe('a call whose status is watched', () => {
  it('leaves other calls and the class as they are', async () => {
    const [{ call }, calls] = await serve();
    await call('unary');
    await call('unary');
    const [watched, other] = calls;
    watchStatus(watched!, { onStatus: (given) => given });
    expect(Object.hasOwn(watched!, 'sendStatus')).toBe(true);
    expect(Object.hasOwn(other!, 'sendStatus')).toBe(false);
    expect(Object.hasOwn(Object.getPrototypeOf(watched!) as object, 'sendStatus')).toBe(true);
    expect(Object.getPrototypeOf(watched!)).toBe(Object.getPrototypeOf(other!));
  });

  it.each([
    ['first', []],
    [
      'behind another interceptor',
      [((_, next) => new ServerInterceptingCall(next)) as ServerInterceptor],
    ],
  ])('ends with what the watcher says, %s', async (_, inner) => {
    const heard: (status | undefined)[] = [];
    const watch: ServerInterceptor = (_definition, next) => {
      watchStatus(next, {
        onStatus: ({ code }) => {
          heard.push(code);
          return { code: status.ABORTED, details: 'instead', metadata: new Metadata() };
        },
      });
      return new ServerInterceptingCall(next);
    };
    const { call } = await interceptedServer([...inner, watch]);
    expect(await call('unary')).toMatchObject({ code: status.ABORTED, details: 'instead' });
    expect(heard).toEqual([status.OK]);
  });
});
