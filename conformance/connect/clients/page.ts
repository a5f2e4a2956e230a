// Runs in Chromium, in a page of another origin than the server's.
import {
  type DescService,
  type Registry,
  create,
  createFileRegistry,
  fromBinary,
  toBinary,
} from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { type CallOptions, ConnectError, type Transport, createClient } from '@connectrpc/connect';
import { createConnectTransport, createGrpcWebTransport } from '@connectrpc/connect-web';
import { GrpcWebClientBase, MethodDescriptor, type RpcError } from 'grpc-web';

export interface PageCall {
  readonly client: PageClient;
  readonly method: 'unary' | 'idempotentUnary' | 'serverStream';
  readonly request: Fields;
  readonly token?: string;
  /** Cancels after so many messages. */
  readonly cancelAfter?: number;
}

type Fields = Record<string, unknown>;

export type PageClient =
  | 'connect JSON'
  | 'connect binary'
  | 'connect GET'
  | 'gRPC-Web'
  | 'grpc-web text'
  | 'grpc-web binary';

/** What the page got; sizes of data instead of data. */
export interface PageAnswer {
  readonly sizes: readonly number[];
  readonly header?: string | null;
  readonly trailer?: string | null;
  readonly code?: number;
  readonly message?: string;
  readonly details?: number;
}

interface Answer {
  readonly payload?: { readonly data: Uint8Array };
}

interface Client {
  unary(request: object, options: CallOptions): Promise<Answer>;
  idempotentUnary(request: object, options: CallOptions): Promise<Answer>;
  serverStream(request: object, options: CallOptions): AsyncIterable<Answer>;
}

let registry: Registry;
let service: DescService;
let baseUrl: string;

/** Called first, once. */
function open(descriptors: readonly number[], name: string, origin: string): void {
  const set = fromBinary(FileDescriptorSetSchema, new Uint8Array(descriptors));
  const files = createFileRegistry(set);
  registry = files;
  service = files.getService(name)!;
  baseUrl = origin;
}

function transportOf(client: PageClient): Transport {
  if (client === 'gRPC-Web') return createGrpcWebTransport({ baseUrl });
  return createConnectTransport({
    baseUrl,
    useBinaryFormat: client === 'connect binary',
    useHttpGet: client === 'connect GET',
    jsonOptions: { registry },
  });
}

function call(asked: PageCall): Promise<PageAnswer> {
  return asked.client.startsWith('grpc-web') ? callGrpcWeb(asked) : callConnect(asked);
}

async function callConnect(asked: PageCall): Promise<PageAnswer> {
  const { client, method, request, token, cancelAfter } = asked;
  const calls = createClient(service, transportOf(client)) as Client;
  const sizes: number[] = [];
  const cancelling = new AbortController();
  let header: string | null = null;
  let trailer: string | null = null;
  const options: CallOptions = {
    signal: cancelling.signal,
    headers: { 'x-test-head': 'of the page', ...(token !== undefined && { authorization: token }) },
    onHeader(fields) {
      header = fields.get('x-test-head');
    },
    onTrailer(fields) {
      trailer = fields.get('x-test-tail');
    },
  };
  try {
    if (method === 'serverStream') {
      for await (const { payload } of calls.serverStream(request, options)) {
        sizes.push(payload?.data.length ?? 0);
        if (sizes.length === cancelAfter) cancelling.abort();
      }
    } else sizes.push((await calls[method](request, options)).payload?.data.length ?? 0);
    return { sizes, header, trailer };
  } catch (reason) {
    const { code, rawMessage, details, metadata } = ConnectError.from(reason);
    header ??= metadata.get('x-test-head');
    return { sizes, header, trailer, code, message: rawMessage, details: details.length };
  }
}

function callGrpcWeb(asked: PageCall): Promise<PageAnswer> {
  const { client, method, request, token, cancelAfter } = asked;
  const { input, output, name } = service.method[method]!;
  const path = `/${service.typeName}/${name}`;
  const isStream = method === 'serverStream';
  const descriptor = new MethodDescriptor<Fields, Answer>(
    path,
    isStream ? 'server_streaming' : 'unary',
    Object as unknown as new () => Fields,
    Object,
    (message: Fields) => toBinary(input, create(input, message)),
    (bytes: Uint8Array) => fromBinary(output, bytes) as Answer,
  );
  const calls = new GrpcWebClientBase({ format: client === 'grpc-web text' ? 'text' : 'binary' });
  const metadata = token === undefined ? {} : { authorization: token };
  const sizes: number[] = [];
  const failed = ({ code, message }: RpcError): PageAnswer => ({ sizes, code, message });
  if (!isStream) {
    return calls
      .unaryCall(baseUrl + path, request, metadata, descriptor)
      .then(({ payload }) => ({ sizes: [payload?.data.length ?? 0] }), failed);
  }
  return new Promise((resolve) => {
    const stream = calls.serverStreaming(baseUrl + path, request, metadata, descriptor);
    stream.on('data', ({ payload }) => {
      sizes.push(payload?.data.length ?? 0);
      if (sizes.length !== cancelAfter) return;
      stream.cancel();
      // It says nothing after that.
      resolve({ sizes: [...sizes], code: 1 });
    });
    stream.on('error', (error) => resolve(failed(error)));
    stream.on('end', () => resolve({ sizes }));
  });
}

Object.assign(globalThis, { bed: { open, call } });
