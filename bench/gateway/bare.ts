import { createServer } from 'node:http';
import { connect } from 'node:http2';
import { create, fromBinary, toBinary, toJsonString } from '@bufbuild/protobuf';
import {
  GetProductRequestSchema,
  ProductSchema,
} from '../../apps/demo/src/gen/shop/v1/catalog_pb.ts';
import { announce } from './announce.ts';

/** What Node itself takes for REST in front of gRPC, with nothing looked at: no front over `node:http2` can take less. */
const session = connect(`http://${process.env['BACKEND'] ?? ''}`);
const message = toBinary(
  GetProductRequestSchema,
  create(GetProductRequestSchema, { name: 'products/pot' }),
);
const request = Buffer.alloc(5 + message.length);
request.writeUInt32BE(message.length, 1);
request.set(message, 5);
const headers = {
  ':method': 'POST',
  ':path': '/shop.v1.Catalog/Get',
  'content-type': 'application/grpc',
  te: 'trailers',
};
/** Written once: JSON is not what this is about. */
let json: string | undefined;

const server = createServer((_req, res) => {
  const stream = session.request(headers);
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  stream.once('end', () => {
    json ??= toJsonString(
      ProductSchema,
      fromBinary(ProductSchema, Buffer.concat(chunks).subarray(5)),
    );
    res.writeHead(200, { 'content-type': 'application/json' }).end(json);
  });
  stream.end(request);
});
server.listen(0, '127.0.0.1', () => announce(server));
