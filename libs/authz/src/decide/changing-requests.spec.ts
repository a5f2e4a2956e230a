import { fromBinary, type Message, toBinary } from '@bufbuild/protobuf';
import {
  Client,
  credentials,
  Metadata,
  type sendUnaryData,
  Server,
  ServerCredentials,
  type ServerInterceptor,
  ServerInterceptingCall,
  type ServerUnaryCall,
} from '@grpc/grpc-js';
import { afterEach, expect, it } from '@jest/globals';
import { celConditions } from '../conditions/cel-conditions.js';
import { authzInterceptor } from '../grpc/authz-interceptor.js';
import { record, RECORDS } from '../records.fixture.js';
import { Authorizer } from './authorizer.js';

const GET = RECORDS.method('/records.v1.Records/Get')!;

type Ask = Message & { name: string };

let server: Server;
let client: Client;
afterEach(() => {
  client.close();
  server.forceShutdown();
});

/** Code of the app that keeps the request when it arrives. */
function keeping(keep: (message: Ask) => void): ServerInterceptor {
  return (_, call) =>
    new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMessage: (message, deliver) => {
            keep(message as Ask);
            deliver(message);
          },
        }),
    });
}

it('a request that changes while its record loads reaches the handler as it was decided about', async () => {
  let kept: Ask | undefined;
  const loaded: string[] = [];
  const handled: unknown[] = [];
  const authorizer = new Authorizer(RECORDS, {
    subject: () => ({ id: 'ada', roles: ['user'], permissions: [] }),
    conditions: celConditions(),
    loaders: {
      'records.v1.Record': async (name) => {
        loaded.push(name);
        await new Promise(setImmediate);
        kept!.name = 'hers';
        await new Promise(setImmediate);
        // Also in the turns between the decision and the handler.
        queueMicrotask(() => queueMicrotask(() => (kept!.name = 'hers, too')));
        return record('Record', { owner: name === 'mine' ? 'ada' : 'eve' });
      },
    },
  });
  server = new Server({
    interceptors: [keeping((message) => (kept = message)), authzInterceptor(authorizer)],
  });
  const definition = {
    path: '/records.v1.Records/Get',
    requestStream: false,
    responseStream: false,
    requestSerialize: (message: Message) => Buffer.from(toBinary(GET.input, message)),
    requestDeserialize: (bytes: Buffer) => fromBinary(GET.input, bytes),
    responseSerialize: (message: Message) => Buffer.from(toBinary(GET.output, message)),
    responseDeserialize: (bytes: Buffer) => fromBinary(GET.output, bytes),
  };
  server.addService(
    { get: definition },
    {
      get: ({ request }: ServerUnaryCall<Ask, Message>, done: sendUnaryData<Message>) => {
        handled.push(request.name);
        done(null, record('Answer'));
      },
    },
  );
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    ),
  );
  client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  await new Promise((resolve) => {
    const { path, requestSerialize, responseDeserialize } = definition;
    const request = record('Ask', { name: 'mine' });
    client.makeUnaryRequest(
      path,
      requestSerialize,
      responseDeserialize,
      request,
      new Metadata(),
      resolve,
    );
  });
  expect(kept!.name).toMatch(/^hers/);
  expect([loaded, handled]).toEqual([['mine'], ['mine']]);
});
