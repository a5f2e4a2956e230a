import { EventEmitter, errorMonitor } from 'node:events';
import { Client, Metadata, Server, type ServerWritableStream, credentials } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { boundPort } from '../../../grpc-client/src/bound-port.fixture.js';
import { captureListenerErrors } from './capture-listener-errors.js';

const same = (bytes: Buffer): Buffer => bytes;
const EMIT: unknown = Reflect.get(EventEmitter.prototype, 'emit');
const NOTHING = Buffer.alloc(0);
type Call = ServerWritableStream<Buffer, Buffer>;

const server = new Server();
let client: Client;
let served: (call: Call) => void;

function definition(requestStream: boolean, responseStream: boolean) {
  const codec = { requestSerialize: same, requestDeserialize: same };
  const path = `/t.T/${requestStream ? 'Many' : 'One'}${responseStream ? 'Many' : 'One'}`;
  return {
    path,
    requestStream,
    responseStream,
    ...codec,
    responseSerialize: same,
    responseDeserialize: same,
  };
}

const METHODS = {
  OneOne: definition(false, false),
  OneMany: definition(false, true),
  ManyOne: definition(true, false),
  ManyMany: definition(true, true),
};

beforeAll(async () => {
  const handler = (call: Call): void => served(call);
  server.addService(
    METHODS,
    Object.fromEntries(Object.keys(METHODS).map((name) => [name, handler])),
  );
  const port = await boundPort(server);
  client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
});

afterAll(() => {
  client.close();
  server.forceShutdown();
});

/** The server's call of grpc-js, as its handler gets it. */
async function callOf(path: string): Promise<Call> {
  const arrived = new Promise<Call>((resolve) => (served = resolve));
  const stream = client.makeBidiStreamRequest(path, same, same, new Metadata());
  stream.on('error', () => {});
  stream.end(NOTHING);
  return arrived;
}

describe('a call of a grpc-js server', () => {
  it.each(Object.entries(METHODS))('%s has the parts that are relied on', async (_, { path }) => {
    const call = await callOf(path);
    expect(Object.hasOwn(call, 'emit')).toBe(false);
    expect(call.emit).toBe(EMIT);
    expect(call.metadata).toBeInstanceOf(Metadata);
    expect(typeof call._final).toBe('function');
    call.destroy();
  });

  it.each([METHODS.OneMany, METHODS.ManyMany])(
    '$path answers an error by the one listener that it comes with',
    async ({ path }) => {
      const call = await callOf(path);
      expect(call.listeners('error')).toHaveLength(1);
      call.destroy();
    },
  );
});

describe('a call whose listeners are heeded', () => {
  it('leaves the class and other calls as they are', async () => {
    const [heeded, other] = [await callOf('/t.T/OneMany'), await callOf('/t.T/OneMany')];
    captureListenerErrors(heeded, () => {});
    expect(heeded.emit).not.toBe(EMIT);
    expect(other.emit).toBe(EMIT);
    expect(Object.hasOwn(Object.getPrototypeOf(heeded) as object, 'emit')).toBe(false);
    heeded.destroy();
    other.destroy();
  });

  it('reports an error event to monitors and listeners, and what they throw as the event', () => {
    const call = new EventEmitter();
    const failures: unknown[] = [];
    const heard: unknown[] = [];
    captureListenerErrors(call, (error) => failures.push(error));
    call.on(errorMonitor, (error) => heard.push(error));
    expect(call.emit('error', 'first')).toBe(false);
    call.on('error', () => {
      throw new Error('secret');
    });
    expect(call.emit('error', 'second')).toBe(true);
    expect(failures).toEqual(['first', 'second']);
    expect(heard).toEqual(['first', 'second']);
  });
});
