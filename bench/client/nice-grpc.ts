// nice-grpc, with the codec of apix in the form of ts-proto's, and its middleware for deadlines, which
// keeps them to itself: the server is not told.
import { wireCodec } from '@apix/proto/core';
import { type DescMessage, create } from '@bufbuild/protobuf';
import { Metadata, createChannel, createClientFactory } from 'nice-grpc';
import { deadlineMiddleware } from 'nice-grpc-client-middleware-deadline';
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

function typeOf(desc: DescMessage): object {
  const codec = wireCodec(desc);
  return {
    fromPartial: (value: object) => create(desc, value),
    encode: (message: never) => ({ finish: () => codec.encode(message) }),
    decode: (bytes: Uint8Array) => codec.decode(bytes),
  };
}

const definition = {
  name: SHOP.name,
  fullName: SHOP.typeName,
  methods: Object.fromEntries(
    SHOP.methods.map(({ localName, name, input, output, methodKind }) => [
      localName,
      {
        name,
        requestType: typeOf(input),
        requestStream: methodKind === 'client_streaming' || methodKind === 'bidi_streaming',
        responseType: typeOf(output),
        responseStream: methodKind === 'server_streaming' || methodKind === 'bidi_streaming',
        options: {},
      },
    ]),
  ),
};

interface ShopClient {
  get(request: object, options?: object): Promise<ProductAnswer>;
  list(request: object): Promise<ProductsAnswer>;
  put(request: object): Promise<AmountAnswer>;
  watch(request: object): AsyncIterable<ProductAnswer>;
}

const service = definition as never;
const made: unknown = createClientFactory()
  .use(deadlineMiddleware)
  .create(service, createChannel(process.env['TARGET'] ?? ''));
const client = made as ShopClient;
const list10kB = listed();

calling({
  get: async (name) => (await client.get({ name })).name,
  list: async (items) => (await client.list({ items })).products.length,
  put: async () => (await client.put(list10kB)).items,
  async getWithin(name) {
    const options = { deadline: TIMEOUT_MS, metadata: Metadata(headers()) };
    return (await client.get({ name }, options)).name;
  },
  async getFor(parent, name) {
    const deadline = new Date(parent.deadline - MARGIN_MS);
    const { signal } = parent;
    const options = { deadline, signal, metadata: Metadata(passedOn(parent)) };
    return (await client.get({ name }, options)).name;
  },
  async watch(items) {
    let count = 0;
    for await (const _ of client.watch({ items })) count++;
    return count;
  },
});
