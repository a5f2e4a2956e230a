import { type DescMethod, type Message, create } from '@bufbuild/protobuf';
import { Client, type UntypedHandleCall, credentials } from '@grpc/grpc-js';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { probe } from '../../../grpc-client/src/client.fixture.js';
import { serviceDefinition } from '../descriptor/service-definition.js';
import { CallableServer } from './callable-server.js';
import { InProcessEntry } from './in-process-entry.js';
import type { WriteAnswer } from './message-path.js';
import { openingCalls } from './opened-calls.fixture.js';

const Kinds = probe.registry.getMessage('apix.testdata.Kinds')!;
const kinds = (stringValue: string): Message => create(Kinds, { stringValue });
const [service] = probe.services;
const definition = serviceDefinition(service!);
const MAX_SEND_BYTES = 5_000;

interface Seen {
  readonly response?: unknown;
  readonly details?: string;
}

interface Setting {
  readonly answer: unknown;
  readonly write: WriteAnswer;
  readonly maxReceiveBytes?: number;
}

const opened: (() => void)[] = [];
afterEach(() => {
  for (const close of opened.splice(0)) close();
});

/** What the caller of a unary method gets. */
function ask({ answer, write, ...limits }: Setting): Promise<Seen> {
  const server = new CallableServer({ 'grpc.max_send_message_length': MAX_SEND_BYTES }, (path) =>
    probe.method(path),
  );
  const reply = ((_call: unknown, done: (error: null, value: unknown) => void) =>
    done(null, answer)) as UntypedHandleCall;
  server.addService(definition, { Unary: reply });
  const entry = new InProcessEntry();
  entry.serve(server);
  const methodOf = (path: string): DescMethod | undefined => probe.method(path);
  const client = new Client('in-process.invalid:1', credentials.createInsecure(), {
    interceptors: [openingCalls(entry, methodOf, limits, write)],
  });
  opened.push(() => {
    client.close();
    server.forceShutdown();
  });
  const { path, requestSerialize, responseDeserialize } = definition['Unary']!;
  return new Promise((resolve) => {
    client.makeUnaryRequest(path, requestSerialize, responseDeserialize, {}, (error, response) =>
      resolve(error === null ? { response } : { details: error.details }),
    );
  });
}

const WRITTEN = { written: true };

describe('a caller in the same process that writes answers itself', () => {
  it('gets what it made of the very message that the handler answered with', async () => {
    const answer = kinds('a');
    const write = jest.fn<WriteAnswer>(() => WRITTEN);
    const { response } = await ask({ answer, write });
    expect(response).toBe(WRITTEN);
    expect(write.mock.calls[0]![0]).toBe(answer);
  });

  it('gets what it made of a message, where the handler answered with a plain object', async () => {
    const write = jest.fn<WriteAnswer>(() => WRITTEN);
    await ask({ answer: { stringValue: 'plain' }, write });
    expect(write.mock.calls[0]![0]).toEqual(kinds('plain'));
  });

  it.each([
    [undefined, MAX_SEND_BYTES],
    [-1, MAX_SEND_BYTES],
    [100, 100],
  ])('is given the smaller limit: it takes %s bytes, so %d', async (maxReceiveBytes, expected) => {
    const write = jest.fn<WriteAnswer>(() => WRITTEN);
    await ask({ answer: {}, write, ...(maxReceiveBytes !== undefined && { maxReceiveBytes }) });
    expect(write.mock.calls[0]![1]).toBe(expected);
  });

  it.each<[string, WriteAnswer]>([
    ['gives undefined', () => undefined],
    [
      'throws',
      () => {
        throw new Error('it cannot be written');
      },
    ],
  ])('gets a copy of the message where its writer %s', async (_, write) => {
    const answer = kinds('a');
    const { response } = await ask({ answer, write });
    expect(response).toEqual(answer);
    expect(response).not.toBe(answer);
  });

  it('is not asked about what is no message', async () => {
    const write = jest.fn<WriteAnswer>(() => WRITTEN);
    expect(await ask({ answer: 5, write })).toEqual({ details: 'Error serializing response' });
    expect(write).not.toHaveBeenCalled();
  });
});
