import { toBinary } from '@bufbuild/protobuf';
import { createServer } from 'node:http2';
import { ProductSchema } from '../../apps/demo/src/gen/shop/v1/catalog_pb.ts';
import { announce } from './announce.ts';
import { productOf } from './product.ts';

/** The catalog as the least that speaks gRPC: one answer, made once, so that what is in front of it can be seen. */
const message = toBinary(ProductSchema, productOf('products/pot'));
const answer = Buffer.alloc(5 + message.length);
answer.writeUInt32BE(message.length, 1);
answer.set(message, 5);

const server = createServer();
server.on('stream', (stream) => {
  stream.on('error', () => {});
  stream.on('end', () => {
    stream.respond(
      { ':status': 200, 'content-type': 'application/grpc' },
      { waitForTrailers: true },
    );
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.end(answer);
  });
  stream.resume();
});
server.listen(0, '127.0.0.1', () => announce(server));
