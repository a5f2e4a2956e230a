// What the client of @apix/grpc does, whatever it calls over.
import { runInCall } from '@apix/contracts/internal';
import { type Caller, headers } from './calls.ts';
import { type AmountAnswer, type ProductAnswer, type ProductsAnswer, listed } from './shop.ts';

/** As the types of a generated service have it; these come from its descriptors. */
interface ShopClient {
  get(request: object, options?: object): Promise<ProductAnswer>;
  list(request: object): Promise<ProductsAnswer>;
  put(request: object): Promise<AmountAnswer>;
  watch(request: object): AsyncIterable<ProductAnswer>;
}

export function apixCaller(made: object): Caller {
  const client = made as ShopClient;
  const list10kB = listed();
  return {
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
  };
}
