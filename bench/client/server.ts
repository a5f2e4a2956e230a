// What all clients call: grpc-js alone, with answers that are bytes already, so that it keeps up.
import { type Message, toBinary } from '@bufbuild/protobuf';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { serving } from '../grpc/serving.ts';
import { STREAMED } from './calls.ts';
import { answers, methodOf, pathOf } from './shop.ts';

const bytesOf = (localName: string, message: Message): Buffer =>
  Buffer.from(toBinary(methodOf(localName).output, message));

const PRODUCT = bytesOf('get', answers.product);
const PRODUCTS = bytesOf('list', answers.products);
const AMOUNT = bytesOf('put', answers.amount);

type Answer = (error: null, value: Buffer) => void;
interface Stream {
  write(message: Buffer): boolean;
  end(): void;
  once(event: 'drain', listener: () => void): void;
}

function watch(stream: Stream): void {
  let sent = 0;
  const send = (): void => {
    while (sent < STREAMED) {
      sent++;
      if (!stream.write(PRODUCT)) {
        stream.once('drain', send);
        return;
      }
    }
    stream.end();
  };
  send();
}

const handlers = {
  Get: (_: unknown, answer: Answer) => answer(null, PRODUCT),
  List: (_: unknown, answer: Answer) => answer(null, PRODUCTS),
  Put: (_: unknown, answer: Answer) => answer(null, AMOUNT),
  Watch: watch,
};

const same = (bytes: Buffer): Buffer => bytes;
const definition = Object.fromEntries(
  Object.keys(handlers).map((name) => [
    name,
    {
      path: pathOf(name),
      requestStream: false,
      responseStream: name === 'Watch',
      requestSerialize: same,
      requestDeserialize: same,
      responseSerialize: same,
      responseDeserialize: same,
    },
  ]),
);

const server = new Server();
server.addService(definition, handlers);
server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  serving(port);
});
