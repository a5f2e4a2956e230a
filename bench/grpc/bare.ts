// grpc-js alone, with the codec of proto-loader or of protobuf-es: `node bare.mjs loader|es`.
import { readFileSync } from 'node:fs';
import { serviceDefinition } from '../../libs/grpc/src/descriptor/service-definition.ts';
import { ProtoRegistry } from '@apix/proto/core';
import {
  Server,
  ServerCredentials,
  type ServiceDefinition,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { answersIn, messages } from './answers.ts';
import { serving } from './serving.ts';

const LOADED = { longs: String, enums: String };

function loaderDefinition(): ServiceDefinition {
  const definitions = loadSync(process.env['PROTO'] ?? '', LOADED);
  return definitions['bench.shapes.Shop'] as ServiceDefinition;
}

function esDefinition(): ServiceDefinition {
  const { services } = ProtoRegistry.load(readFileSync(process.env['SHAPES'] ?? ''));
  return serviceDefinition(services.find(({ name }) => name === 'Shop'));
}

const isEs = process.argv[2] === 'es';
const answers = answersIn(isEs ? messages() : (_, document) => document as object);

type Answer = (error: null, value: object) => void;
interface Call<T> {
  readonly request: T;
  write(message: object): void;
  end(): void;
  on(event: string, listener: (message: object) => void): this;
}

const handlers = {
  Get: ({ request }: Call<{ name: string }>, answer: Answer) =>
    answer(null, { ...answers.product, name: request.name }),
  List: ({ request }: Call<{ items: number }>, answer: Answer) =>
    answer(null, answers.products(request.items)),
  Put: ({ request }: Call<{ products: unknown[] }>, answer: Answer) =>
    answer(null, answers.amount(request.products.length)),
  Watch: (call: Call<{ items: number }>) => {
    for (let sent = 0; sent < call.request.items; sent++) call.write(answers.product);
    call.end();
  },
  Upload: (call: Call<never>, answer: Answer) => {
    let items = 0;
    call.on('data', () => items++);
    call.on('end', () => answer(null, answers.amount(items)));
  },
  Chat: (call: Call<never>) => {
    call.on('data', (message) => call.write(message));
    call.on('end', () => call.end());
  },
};

const server = new Server();
const untyped = handlers as unknown as UntypedServiceImplementation;
server.addService(isEs ? esDefinition() : loaderDefinition(), untyped);
server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  serving(port);
});
