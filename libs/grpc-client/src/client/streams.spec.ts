import { Code } from '@apix/contracts';
import { describe, expect, it } from '@jest/globals';
import { until } from '../../../../tools/testing/until.js';
import { channelOf } from './create-client.js';
import {
  type Kinds,
  TRANSPORTS,
  failureOfCall,
  probeClient,
  serveProbe,
} from './probe-service.fixture.js';

async function allOf(answers: AsyncIterable<Kinds>): Promise<readonly string[]> {
  const texts: string[] = [];
  for await (const { stringValue } of answers) texts.push(stringValue);
  return texts;
}

describe.each(TRANSPORTS)('a stream of a client, %s,', (transport) => {
  it('of responses is read to its end', async () => {
    const server = await serveProbe({
      ServerStream: (call) => {
        for (const stringValue of call.request.stringList) call.write({ stringValue });
        call.end();
      },
    });
    const client = probeClient(server, transport);
    expect(await allOf(client.serverStream({ stringList: ['a', 'b', 'c'] }))).toEqual([
      'a',
      'b',
      'c',
    ]);
  });

  it('of requests comes from an array or from a generator', async () => {
    const server = await serveProbe({
      ClientStream: (call, respond) => {
        const seen: string[] = [];
        call.on('data', ({ stringValue }: Kinds) => seen.push(stringValue));
        call.on('end', () => respond(null, { stringList: seen }));
      },
    });
    const client = probeClient(server, transport);
    async function* requests() {
      yield { stringValue: 'x' };
      await Promise.resolve();
      yield { stringValue: 'y' };
    }
    expect((await client.clientStream([{ stringValue: 'a' }])).stringList).toEqual(['a']);
    expect((await client.clientStream(requests())).stringList).toEqual(['x', 'y']);
    expect((await client.clientStream([])).stringList).toEqual([]);
  });

  it('of both goes both ways at once', async () => {
    const server = await serveProbe({
      BidiStream: (call) => {
        call.on('data', ({ stringValue }: Kinds) => call.write({ stringValue: `${stringValue}!` }));
        call.on('end', () => call.end());
      },
    });
    const client = probeClient(server, transport);
    const heard: string[] = [];
    let hear = (): void => {};
    async function* requests() {
      yield { stringValue: 'one' };
      await new Promise<void>((resolve) => (hear = resolve));
      yield { stringValue: `after ${heard.at(-1)}` };
    }
    for await (const { stringValue } of client.bidiStream(requests())) {
      heard.push(stringValue);
      hear();
    }
    expect(heard).toEqual(['one!', 'after one!!']);
  });

  it('is cancelled when its reader leaves the loop', async () => {
    let cancelled = false;
    const server = await serveProbe({
      ServerStream: (call) => {
        call.on('cancelled', () => (cancelled = true));
        call.write({ stringValue: 'first' });
      },
    });
    const client = probeClient(server, transport);
    for await (const { stringValue } of client.serverStream({})) {
      expect(stringValue).toBe('first');
      break;
    }
    await until(() => cancelled);
    expect(channelOf(client).active).toBe(0);
  });

  it('ends a read that waits when it is left meanwhile', async () => {
    const server = await serveProbe({ ServerStream: () => {} });
    const stream = probeClient(server, transport).serverStream({});
    const pending = stream.next();
    await stream.return!();
    expect(await pending).toEqual({ done: true, value: undefined });
    expect(await stream.next()).toEqual({ done: true, value: undefined });
  });

  it('fails once, for the first who reads, and is over for the others', async () => {
    const server = await serveProbe({
      ServerStream: (call) => void call.emit('error', { code: 9, details: 'not now' }),
    });
    const stream = probeClient(server, transport).serverStream({});
    const [first, second] = await Promise.allSettled([stream.next(), stream.next()]);
    expect(first).toMatchObject({ status: 'rejected', reason: { code: Code.FAILED_PRECONDITION } });
    expect(second).toMatchObject({ status: 'fulfilled', value: { done: true } });
  });

  it('names the code that reads in the stack of its error', async () => {
    const server = await serveProbe({
      ServerStream: (call) => {
        call.write({ stringValue: 'one' });
        call.emit('error', { code: 9, details: 'no more' });
      },
    });
    const client = probeClient(server, transport);
    async function whoReads() {
      for await (const { stringValue } of client.serverStream({})) void stringValue;
    }
    expect((await failureOfCall(whoReads())).stack).toContain('whoReads');
  });

  it('holds a fast server up while nobody reads', async () => {
    let written = 0;
    const text = 'x'.repeat(16 * 1024);
    const server = await serveProbe({
      ServerStream: (call) => {
        const write = (): void => {
          while (written < 1_000) {
            written += 1;
            if (!call.write({ stringValue: text })) {
              call.once('drain', write);
              return;
            }
          }
          call.end();
        };
        write();
      },
    });
    const stream = probeClient(server, transport).serverStream({});
    await stream.next();
    let before = -1;
    while (before !== written) {
      before = written;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(written).toBeLessThan(500);
    let count = 1;
    for await (const each of stream) count += each.stringValue.length === text.length ? 1 : 0;
    expect(count).toBe(1_000);
  });

  it('asks for no more requests than the server takes', async () => {
    let asked = 0;
    let go = (): void => {};
    const server = await serveProbe({
      ClientStream: (call, respond) => {
        go = () => {
          call.on('data', () => {});
          call.on('end', () => respond(null, { int32Value: asked }));
        };
      },
    });
    const stringValue = 'x'.repeat(16 * 1024);
    function* requests() {
      while (asked < 1_000) {
        asked += 1;
        yield { stringValue };
      }
    }
    const answer = probeClient(server, transport).clientStream(requests());
    let before = -1;
    while (before !== asked) {
      before = asked;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(asked).toBeLessThan(500);
    go();
    expect((await answer).int32Value).toBe(1_000);
  });

  it('lets a generator of requests go when the server answers before its end', async () => {
    const server = await serveProbe({
      ClientStream: (call, respond) =>
        call.once('data', () => respond(null, { stringValue: 'enough' })),
    });
    let left = false;
    async function* requests() {
      try {
        for (;;) {
          yield { stringValue: 'more' };
          await new Promise((resolve) => setImmediate(resolve));
        }
      } finally {
        left = true;
      }
    }
    const { stringValue } = await probeClient(server, transport).clientStream(requests());
    expect(stringValue).toBe('enough');
    await until(() => left);
  });

  it('fails with what a generator of requests throws, and cancels the call', async () => {
    let [begun, cancelled] = [false, false];
    const server = await serveProbe({
      ClientStream: (call) => {
        call.on('cancelled', () => (cancelled = true));
        call.on('data', () => (begun = true));
      },
    });
    const broken = new Error('no more');
    async function* requests() {
      yield { stringValue: 'one' };
      await until(() => begun);
      throw broken;
    }
    expect(await failureOfCall(probeClient(server, transport).clientStream(requests()))).toBe(
      broken,
    );
    await until(() => cancelled);
  });
});
