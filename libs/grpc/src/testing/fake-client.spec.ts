import { Code, StatusError } from '@apix/contracts';
import { describe, expect, it } from '@jest/globals';
import {
  type Kinds,
  Probe,
  failureOfCall,
} from '../../../grpc-client/src/client/probe-service.fixture.js';
import { fakeClient } from './fake-client.js';

async function textsOf(all: AsyncIterable<Kinds>): Promise<readonly string[]> {
  const texts: string[] = [];
  for await (const { stringValue } of all) texts.push(stringValue);
  return texts;
}

describe('a fake client', () => {
  it('answers with what the functions of the test return, for every kind of method', async () => {
    const client = fakeClient(Probe, {
      unary: ({ stringValue }) => ({ stringValue: `fake ${stringValue}` }),
      serverStream: ({ stringList }) => stringList.map((stringValue) => ({ stringValue })),
      clientStream: async (requests) => ({ stringList: [...(await textsOf(requests))] }),
      async *bidiStream(requests) {
        for await (const { stringValue } of requests) yield { stringValue: `${stringValue}!` };
      },
    });
    expect((await client.unary({ stringValue: 'tea' })).stringValue).toBe('fake tea');
    expect(await textsOf(client.serverStream({ stringList: ['a', 'b'] }))).toEqual(['a', 'b']);
    const requests = [{ stringValue: 'x' }, { stringValue: 'y' }];
    expect((await client.clientStream(requests)).stringList).toEqual(['x', 'y']);
    expect(await textsOf(client.bidiStream(requests))).toEqual(['x!', 'y!']);
  });

  it('answers with as much as its caller reads', async () => {
    const many = Array.from({ length: 500 }, (_, i) => String(i));
    const client = fakeClient(Probe, {
      serverStream: ({ stringList }) => stringList.map((stringValue) => ({ stringValue })),
    });
    expect(await textsOf(client.serverStream({ stringList: many }))).toEqual(many);
  });

  it('fails as a server would: with what is thrown, and UNIMPLEMENTED for the rest', async () => {
    const client = fakeClient(Probe, {
      unary: () => {
        throw new StatusError(Code.NOT_FOUND, 'no such tea');
      },
      async *serverStream() {
        yield { stringValue: 'first' };
        throw new Error('of the inside');
      },
    });
    const missing = await failureOfCall(client.unary({}));
    expect(missing).toMatchObject({ code: Code.NOT_FOUND, message: 'no such tea' });
    const broken = await failureOfCall(textsOf(client.serverStream({})));
    expect(broken).toMatchObject({ code: Code.INTERNAL, message: 'internal error' });
    const none = await failureOfCall(client.clientStream([]));
    expect(none).toMatchObject({ code: Code.UNIMPLEMENTED });
  });
});
