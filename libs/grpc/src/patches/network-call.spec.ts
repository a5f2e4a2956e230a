import {
  Client,
  Server,
  type ServerDuplexStream,
  type StatusObject,
  credentials,
  status,
} from '@grpc/grpc-js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { boundPort } from '../../../grpc-client/src/bound-port.fixture.js';
import { COUNTED_BYTES, WrittenAnswers } from '../flow/written-answers.js';
import { type ConnectionCall, patchingCalls } from './connection-call.js';
import { readingOneByOne } from './read-one-by-one.js';
import { watchingWrites } from './watch-writes.js';

type Call = ServerDuplexStream<Buffer, Buffer>;

const PATH = '/t.T/Chat';
const UNWRITABLE = Buffer.from('unwritable');
const UNREADABLE = Buffer.from('unreadable');
const same = (bytes: Buffer): Buffer => bytes;

function refusing(refused: Buffer): typeof same {
  return (bytes) => {
    if (bytes.equals(refused)) throw new Error('refused');
    return bytes;
  };
}

function framed(text: string): Buffer {
  return Buffer.concat([Buffer.from([0, 0, 0, 0, text.length]), Buffer.from(text)]);
}

/** The call beneath the one that the handler has. */
let connection: ConnectionCall & { handleDataFrame(data: Buffer): void };
let served: (call: Call) => void;
const server = new Server({
  interceptors: [
    readingOneByOne,
    watchingWrites(new WrittenAnswers({ total: 1_024 ** 2 })),
    patchingCalls((call) => (connection = call as typeof connection)),
  ],
});
let client: Client;
/** What the caller got. */
let answers: Buffer[] = [];
afterEach(() => void (answers = []));

beforeAll(async () => {
  const chat = {
    path: PATH,
    requestStream: true,
    responseStream: true,
    requestSerialize: same,
    requestDeserialize: refusing(UNREADABLE),
    responseSerialize: refusing(UNWRITABLE),
    responseDeserialize: same,
  };
  server.addService({ chat }, { chat: (call: Call) => served(call) });
  const port = await boundPort(server);
  client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
});

afterAll(() => {
  client.close();
  server.forceShutdown();
});

/** Sends the requests to a handler; the status that the call ends with. */
function calling(handler: (call: Call) => void, requests: readonly Buffer[] = []) {
  served = handler;
  const stream = client.makeBidiStreamRequest(PATH, same, same);
  stream.on('data', (answer: Buffer) => answers.push(answer));
  stream.on('error', () => {});
  for (const request of requests) stream.write(request);
  return new Promise<StatusObject>((resolve) => stream.on('status', resolve));
}

/** Writes `count` answers in one go, and ends; how many of them still wait in the call then. */
function writing(count: number, bytes: number) {
  const made = Array.from({ length: count }, (_, i) => Buffer.alloc(bytes, i));
  let waiting = -1;
  const ended = calling((call) => {
    for (const answer of made) call.write(answer);
    waiting = call.writableLength;
    call.end();
  });
  return ended.then(({ code }) => ({ code, waiting, made }));
}

describe('answers of a call from the network', () => {
  it('of less than 4 KiB together are taken before HTTP/2 has sent the first', async () => {
    const { code, waiting, made } = await writing(20, 100);
    expect([code, waiting]).toEqual([status.OK, 0]);
    expect(answers).toEqual(made);
  });

  it('wait in the call from 4 KiB on, and arrive in their order', async () => {
    const { code, waiting, made } = await writing(200, COUNTED_BYTES / 4);
    expect(waiting).toBeGreaterThan(190);
    expect(code).toBe(status.OK);
    expect(Buffer.concat(answers).equals(Buffer.concat(made))).toBe(true);
  });

  it('end with the one that cannot be written, which is not taken', async () => {
    const taken: string[] = [];
    const { code } = await calling((call) => {
      call.write(Buffer.from('first'), () => taken.push('first'));
      call.write(UNWRITABLE, () => taken.push('second'));
      call.write(Buffer.from('third'), () => taken.push('third'));
    });
    expect(code).toBe(status.INTERNAL);
    expect(taken).toEqual(['first']);
    expect(answers).toEqual([Buffer.from('first')]);
  });
});

describe('requests of a call from the network', () => {
  it('without compression are decoded in the turn in which they are asked for', async () => {
    let seen: unknown[] = [];
    const { code } = await calling((call) => {
      call.read(0);
      connection.handleDataFrame(Buffer.concat([framed('asked for'), framed('not yet')]));
      seen = [call.readableLength, connection.readQueue.length];
      call.end();
    });
    expect(seen).toEqual([1, 1]);
    expect(code).toBe(status.OK);
  });

  it('that cannot be decoded end it in the words of grpc-js', async () => {
    const heard: Buffer[] = [];
    const { code, details } = await calling(
      (call) => {
        call.on('data', (request: Buffer) => heard.push(request));
        call.on('error', () => {});
      },
      [Buffer.from('1'), UNREADABLE, Buffer.from('3')],
    );
    expect([code, details]).toEqual([status.INTERNAL, 'Error deserializing request']);
    expect(heard).toEqual([Buffer.from('1')]);
  });
});
