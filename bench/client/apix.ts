// The client of @apix/grpc.
import { runInCall } from '@apix/contracts';
import { createClient } from '@apix/grpc/core';
import { calling } from './calling.ts';
import { headers } from './calls.ts';
import {
  type AmountAnswer,
  type ProductAnswer,
  type ProductsAnswer,
  SHOP,
  listed,
} from './shop.ts';

/** As the types of a generated service have it; these come from its descriptors. */
interface ShopClient {
  get(request: object, options?: object): Promise<ProductAnswer>;
  list(request: object): Promise<ProductsAnswer>;
  put(request: object): Promise<AmountAnswer>;
  watch(request: object): AsyncIterable<ProductAnswer>;
}

const client = createClient(SHOP, {
  endpoint: process.env['TARGET'] ?? '',
}) as unknown as ShopClient;
const list10kB = listed();

calling({
  get: async (name) => (await client.get({ name })).name,
  list: async (items) => (await client.list({ items })).products.length,
  put: async () => (await client.put(list10kB)).items,
  getWithin: async (name) =>
    (await client.get({ name }, { timeout: '30s', headers: headers() })).name,
  getFor: (parent, name) => runInCall(parent, async () => (await client.get({ name })).name),
  async watch(items) {
    let count = 0;
    for await (const _ of client.watch({ items })) count++;
    return count;
  },
});
