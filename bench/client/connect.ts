// connect-node, over its gRPC transport; its codec is that of protobuf-es.
import { createClient } from '@connectrpc/connect';
import { createGrpcTransport } from '@connectrpc/connect-node';
import { calling } from './calling.ts';
import { TIMEOUT_MS, headers } from './calls.ts';
import {
  type AmountAnswer,
  type ProductAnswer,
  type ProductsAnswer,
  SHOP,
  listed,
} from './shop.ts';
import { MARGIN_MS, passedOn } from './under-way.ts';

interface ShopClient {
  get(request: object, options?: object): Promise<ProductAnswer>;
  list(request: object): Promise<ProductsAnswer>;
  put(request: object): Promise<AmountAnswer>;
  watch(request: object): AsyncIterable<ProductAnswer>;
}

const transport = createGrpcTransport({ baseUrl: `http://${process.env['TARGET']}` });
const client = createClient(SHOP, transport) as unknown as ShopClient;
const list10kB = listed();

calling({
  get: async (name) => (await client.get({ name })).name,
  list: async (items) => (await client.list({ items })).products.length,
  put: async () => (await client.put(list10kB)).items,
  getWithin: async (name) =>
    (await client.get({ name }, { timeoutMs: TIMEOUT_MS, headers: headers() })).name,
  async getFor(parent, name) {
    const timeoutMs = parent.deadline - MARGIN_MS - Date.now();
    const { signal } = parent;
    return (await client.get({ name }, { timeoutMs, signal, headers: passedOn(parent) })).name;
  },
  async watch(items) {
    let count = 0;
    for await (const _ of client.watch({ items })) count++;
    return count;
  },
});
