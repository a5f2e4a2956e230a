// ClientGrpc of Nest, as its pages have it; its codec is that of proto-loader.
import 'reflect-metadata';
import { createRequire } from 'node:module';
import { ClientGrpcProxy } from '@nestjs/microservices';
import type { Metadata } from '@grpc/grpc-js';
import { type Observable, firstValueFrom, fromEvent, takeUntil } from 'rxjs';
import { list100 } from '../shapes/shapes.ts';
import { calling } from './calling.ts';
import { LISTED, TIMEOUT_MS, headers } from './calls.ts';
import type { AmountAnswer, ProductAnswer, ProductsAnswer } from './shop.ts';
import { MARGIN_MS, passedOn } from './under-way.ts';

// Metadata of the copy of grpc-js that Nest loads, which need not be that of the benches.
const nest = createRequire(createRequire(import.meta.url).resolve('@nestjs/microservices'));
const grpc = nest('@grpc/grpc-js') as typeof import('@grpc/grpc-js');

interface ShopClient {
  get(request: object, metadata?: Metadata, options?: object): Observable<ProductAnswer>;
  list(request: object): Observable<ProductsAnswer>;
  put(request: object): Observable<AmountAnswer>;
  watch(request: object): Observable<ProductAnswer>;
}

const client = new ClientGrpcProxy({
  package: 'bench.shapes',
  protoPath: process.env['PROTO'] ?? '',
  url: process.env['TARGET'] ?? '',
  loader: { longs: String, enums: String },
}).getService<ShopClient>('Shop');
const list10kB = list100.document(LISTED) as object;

function metadataOf(entries: Readonly<Record<string, string>>): Metadata {
  const metadata = new grpc.Metadata();
  for (const [key, value] of Object.entries(entries)) metadata.set(key, value);
  return metadata;
}

calling({
  get: async (name) => (await firstValueFrom(client.get({ name }))).name,
  list: async (items) => (await firstValueFrom(client.list({ items }))).products.length,
  put: async () => (await firstValueFrom(client.put(list10kB))).items,
  async getWithin(name) {
    const deadline = Date.now() + TIMEOUT_MS;
    return (await firstValueFrom(client.get({ name }, metadataOf(headers()), { deadline }))).name;
  },
  async getFor(parent, name) {
    const deadline = parent.deadline - MARGIN_MS;
    const answer = client.get({ name }, metadataOf(passedOn(parent)), { deadline });
    const cancelled = fromEvent(parent.signal, 'abort');
    return (await firstValueFrom(answer.pipe(takeUntil(cancelled)))).name;
  },
  watch: (items) =>
    new Promise((resolve, reject) => {
      let count = 0;
      client.watch({ items }).subscribe({
        next: () => count++,
        error: reject,
        complete: () => resolve(count),
      });
    }),
});
