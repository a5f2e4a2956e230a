import assert from 'node:assert/strict';
import { once } from 'node:events';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import {
  type ChannelCredentials,
  Client,
  Metadata,
  type ServiceError,
  credentials,
} from '@grpc/grpc-js';
import { CERTIFICATE } from '../../../tools/testing/certificate.js';
import { step } from '../../chromium.js';
import type { Ports } from '../servers/server.js';
import { type Answer, methodOf } from '../suite/schema.js';

/** grpc-js against the port that all protocols share. */
export async function testGrpcJs({ h2c, tls }: Ports): Promise<void> {
  await testPort('grpc-js', h2c, credentials.createInsecure());
  await testPort('grpc-js with TLS', tls, credentials.createSsl(Buffer.from(CERTIFICATE)));
}

async function testPort(name: string, port: number, security: ChannelCredentials): Promise<void> {
  const client = new Client(`localhost:${port}`, security);
  const { cancelled, deadline } = { cancelled: 1, deadline: 4 };
  try {
    await step(`${name}: unary, with metadata`, async () => {
      const [path, serialize, read] = method('Unary');
      const plan = {
        response: { case: 'responseData', value: new Uint8Array(6) },
        responseHeaders: [{ name: 'x-test-head', value: ['one', 'two'] }],
        responseTrailers: [{ name: 'x-test-tail-bin', value: ['AAEC'] }],
      };
      const sent = new Metadata();
      sent.set('x-test-raw-bin', Buffer.from([9, 8]));
      let [headers, trailers] = [new Metadata(), new Metadata()];
      const answer = await new Promise<Answer>((resolve, reject) => {
        const call = client.makeUnaryRequest(
          path,
          serialize,
          read,
          { responseDefinition: plan },
          sent,
          (error: ServiceError | null, value?: Answer) =>
            error === null ? resolve(value!) : reject(error),
        );
        call.on('metadata', (fields: Metadata) => (headers = fields));
        call.on('status', (status: { metadata: Metadata }) => (trailers = status.metadata));
      });
      assert.equal(answer.payload?.data.length, 6);
      assert.deepEqual(headers.get('x-test-head').join(', '), 'one, two');
      await new Promise(setImmediate);
      assert.deepEqual(trailers.get('x-test-tail-bin'), [Buffer.from([0, 1, 2])]);
      const told = answer.payload.requestInfo?.requestHeaders.find(
        ({ name }) => name === 'x-test-raw-bin',
      );
      assert.deepEqual(told?.value, ['CQg']);
    });
    await step(`${name}: a stream of the server, a message of 1 MiB among it`, async () => {
      const responseData = [new Uint8Array(1), new Uint8Array(2 ** 20)];
      const stream = client.makeServerStreamRequest(...method('ServerStream'), {
        responseDefinition: { responseData },
      });
      const sizes: number[] = [];
      for await (const answer of stream as AsyncIterable<Answer>)
        sizes.push(answer.payload!.data.length);
      assert.deepEqual(sizes, [1, 2 ** 20]);
    });
    await step(`${name}: a stream of the client`, async () => {
      const answer = await new Promise<Answer>((resolve, reject) => {
        const stream = client.makeClientStreamRequest(
          ...method('ClientStream'),
          (error: ServiceError | null, value?: Answer) =>
            error === null ? resolve(value!) : reject(error),
        );
        for (let sent = 0; sent < 3; sent++) stream.write({});
        stream.end();
      });
      assert.equal(answer.payload?.requestInfo?.requests.length, 3);
    });
    await step(`${name}: streams in both directions, a message at a time`, async () => {
      const stream = client.makeBidiStreamRequest(...method('BidiStream'));
      const responseData = [new Uint8Array(4), new Uint8Array(5)];
      stream.write({ responseDefinition: { responseData }, fullDuplex: true });
      const [first] = (await once(stream, 'data')) as [Answer];
      stream.write({});
      const [second] = (await once(stream, 'data')) as [Answer];
      stream.end();
      assert.deepEqual(
        [first, second].map(({ payload }) => payload!.data.length),
        [4, 5],
      );
      await once(stream, 'end');
    });
    await step(`${name}: deadlines and cancellation`, async () => {
      const request = {
        responseDefinition: { responseData: [new Uint8Array(1)], responseDelayMs: 60_000 },
      };
      const late = client.makeServerStreamRequest(
        ...method('ServerStream'),
        request,
        new Metadata(),
        {
          deadline: Date.now() + 50,
        },
      );
      const [error] = (await once(late.resume(), 'error').catch((it: unknown) => [it])) as [
        ServiceError,
      ];
      assert.equal(error.code, deadline);
      const gone = client.makeServerStreamRequest(...method('ServerStream'), request);
      gone.resume().cancel();
      const [ended] = (await once(gone, 'error').catch((it: unknown) => [it])) as [ServiceError];
      assert.equal(ended.code, cancelled);
    });
  } finally {
    client.close();
  }
}

type Method = [
  path: string,
  serialize: (message: Record<string, unknown>) => Buffer,
  read: (bytes: Buffer) => Answer,
];

function method(name: string): Method {
  const { input, output, parent } = methodOf(name);
  return [
    `/${parent.typeName}/${name}`,
    (message) => Buffer.from(toBinary(input, create(input, message))),
    (bytes) => fromBinary(output, bytes),
  ];
}
