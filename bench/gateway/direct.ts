import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { Client, credentials } from '@grpc/grpc-js';
import {
  type GetProductRequest,
  GetProductRequestSchema,
  type Product,
  ProductSchema,
} from '../../apps/demo/src/gen/shop/v1/catalog_pb.ts';
import { announce } from './announce.ts';

/** What asks for load. */
interface Order {
  readonly connections: number;
  readonly seconds: number;
}

const client = new Client(process.env['BACKEND'] ?? '', credentials.createInsecure());
const serialize = (message: GetProductRequest): Buffer =>
  Buffer.from(toBinary(GetProductRequestSchema, message));
const deserialize = (bytes: Buffer): Product => fromBinary(ProductSchema, bytes);

function call(): Promise<unknown> {
  const request = create(GetProductRequestSchema, { name: 'products/pot' });
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest('/shop.v1.Catalog/Get', serialize, deserialize, request, (error, it) =>
      error === null ? resolve(it) : reject(error),
    );
  });
}

async function load({ connections, seconds }: Order): Promise<void> {
  const begun = performance.now();
  let total = 0;
  const one = async (): Promise<void> => {
    while (performance.now() - begun < seconds * 1_000) {
      await call();
      total += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, one));
  const average = (total / (performance.now() - begun)) * 1_000;
  process.send?.({ total, average });
}

process.on('message', (order: Order) => void load(order));
announce({ address: () => ({ port: 0 }) });
