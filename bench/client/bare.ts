// grpc-js alone, as its pages have it, in a promise: `node bare.mjs es|apix|loader`.
import { Client, Metadata, type ServiceError, credentials } from '@grpc/grpc-js';
import { CODECS } from './bare-codecs.ts';
import { calling } from './calling.ts';
import { TIMEOUT_MS, headers } from './calls.ts';
import {
  type AmountAnswer,
  type ProductAnswer,
  type ProductsAnswer,
  methodOf,
  pathOf,
} from './shop.ts';
import { MARGIN_MS, passedOn } from './under-way.ts';

const codecs = CODECS[process.argv[2]];
const client = new Client(process.env['TARGET'] ?? '', credentials.createInsecure());
const list10kB = codecs.listed;

function metadataOf(entries: Readonly<Record<string, string>>): Metadata {
  const metadata = new Metadata();
  for (const [key, value] of Object.entries(entries)) metadata.set(key, value);
  return metadata;
}

interface Sent {
  readonly metadata?: Metadata;
  readonly deadline?: number;
  readonly signal?: AbortSignal;
}

/** A function of a unary method. */
function unary<T>(localName: string): (request: object, sent?: Sent) => Promise<T> {
  const { serialize, deserialize } = codecs.of(localName);
  const path = pathOf(methodOf(localName).name);
  return (request, { metadata = new Metadata(), deadline, signal } = {}) =>
    new Promise((resolve, reject) => {
      const options = deadline === undefined ? {} : { deadline };
      const done = (error: ServiceError | null, answer?: unknown): void => {
        if (signal !== undefined) signal.removeEventListener('abort', cancel);
        if (error === null) resolve(answer as T);
        else reject(error);
      };
      const call = client.makeUnaryRequest(
        path,
        serialize,
        deserialize,
        request,
        metadata,
        options,
        done,
      );
      const cancel = (): void => call.cancel();
      if (signal !== undefined) signal.addEventListener('abort', cancel);
    });
}

const get = unary<ProductAnswer>('get');
const list = unary<ProductsAnswer>('list');
const put = unary<AmountAnswer>('put');
const watched = codecs.of('watch');

calling({
  get: async (name) => (await get({ name })).name,
  list: async (items) => (await list({ items })).products.length,
  put: async () => (await put(list10kB)).items,
  async getWithin(name) {
    const deadline = Date.now() + TIMEOUT_MS;
    return (await get({ name }, { deadline, metadata: metadataOf(headers()) })).name;
  },
  async getFor(parent, name) {
    const deadline = parent.deadline - MARGIN_MS;
    const { signal } = parent;
    return (await get({ name }, { deadline, signal, metadata: metadataOf(passedOn(parent)) })).name;
  },
  // Listeners, which are faster than the async iterator of the stream.
  watch: (items) =>
    new Promise((resolve, reject) => {
      let count = 0;
      const stream = client.makeServerStreamRequest(
        pathOf('Watch'),
        watched.serialize,
        watched.deserialize,
        { items },
      );
      stream.on('data', () => count++);
      stream.on('error', reject);
      stream.on('end', () => resolve(count));
    }),
});
