// What is used of packages that are installed for this folder alone, and not where the repository is checked.
declare module '@connectrpc/connect' {
  import type { DescMessage, DescService, Message } from '@bufbuild/protobuf';

  export class ConnectError extends Error {
    readonly code: number;
    readonly rawMessage: string;
    readonly metadata: Headers;
    details: unknown[];
    constructor(
      message: string,
      code?: number,
      metadata?: HeadersInit,
      outgoingDetails?: readonly { readonly desc: DescMessage; readonly value: Message }[],
    );
    static from(reason: unknown): ConnectError;
  }
  export interface HandlerContext {
    readonly signal: AbortSignal;
    readonly timeoutMs: () => number | undefined;
    readonly requestMethod: string;
    readonly requestHeader: Headers;
    readonly responseHeader: Headers;
    readonly responseTrailer: Headers;
    readonly url: string;
  }
  export interface ConnectRouter {
    service(service: DescService, implementation: Readonly<Record<string, unknown>>): this;
  }
  export interface CallOptions {
    readonly headers?: HeadersInit;
    readonly signal?: AbortSignal;
    readonly timeoutMs?: number;
    readonly onHeader?: (headers: Headers) => void;
    readonly onTrailer?: (trailers: Headers) => void;
  }
  export interface Transport {
    readonly unary: unknown;
    readonly stream: unknown;
  }
  export function createClient(service: DescService, transport: Transport): unknown;
}

declare module '@connectrpc/connect-node' {
  import type { IncomingMessage, ServerResponse } from 'node:http';
  import type { Registry } from '@bufbuild/protobuf';
  import type { ConnectRouter, Transport } from '@connectrpc/connect';

  export interface Compression {
    readonly name: string;
    compress(bytes: Uint8Array): Promise<Uint8Array>;
    decompress(bytes: Uint8Array, readMaxBytes: number): Promise<Uint8Array>;
  }
  export const compressionGzip: Compression;
  export const compressionBrotli: Compression;
  export function connectNodeAdapter(options: {
    readonly routes: (router: ConnectRouter) => void;
    readonly acceptCompression?: readonly Compression[];
    readonly compressMinBytes?: number;
    readonly readMaxBytes?: number;
    readonly jsonOptions?: { readonly registry: Registry };
  }): (request: IncomingMessage, response: ServerResponse) => void;
  interface TransportOptions {
    readonly baseUrl: string;
    readonly jsonOptions?: { readonly registry: Registry };
    readonly httpVersion: '1.1' | '2';
    readonly useBinaryFormat?: boolean;
    readonly useHttpGet?: boolean;
    readonly sendCompression?: Compression;
  }
  export function createConnectTransport(options: TransportOptions): Transport;
  export function createGrpcTransport(options: Omit<TransportOptions, 'httpVersion'>): Transport;
  export function createGrpcWebTransport(options: TransportOptions): Transport;
}

declare module '@connectrpc/connect-web' {
  import type { Registry } from '@bufbuild/protobuf';
  import type { Transport } from '@connectrpc/connect';

  interface TransportOptions {
    readonly baseUrl: string;
    readonly jsonOptions?: { readonly registry: Registry };
    readonly useBinaryFormat?: boolean;
    readonly useHttpGet?: boolean;
  }
  export function createConnectTransport(options: TransportOptions): Transport;
  export function createGrpcWebTransport(options: TransportOptions): Transport;
}

declare module 'grpc-web' {
  export interface RpcError extends Error {
    readonly code: number;
    readonly metadata: Readonly<Record<string, string>>;
  }
  interface Stream<Answer> {
    on(event: 'data', listener: (answer: Answer) => void): this;
    on(event: 'error', listener: (error: RpcError) => void): this;
    on(event: 'end', listener: () => void): this;
    cancel(): void;
  }
  type Fields = Readonly<Record<string, string>>;
  export class MethodDescriptor<Request, Answer> {
    constructor(
      path: string,
      kind: 'unary' | 'server_streaming',
      requestType: new () => Request,
      answerType: new () => Answer,
      serialize: (request: Request) => Uint8Array,
      deserialize: (bytes: Uint8Array) => Answer,
    );
    getName(): string;
  }
  export class GrpcWebClientBase {
    constructor(options: { readonly format: 'text' | 'binary' });
    unaryCall<Request, Answer>(
      url: string,
      request: Request,
      metadata: Fields,
      method: MethodDescriptor<Request, Answer>,
    ): Promise<Answer>;
    serverStreaming<Request, Answer>(
      url: string,
      request: Request,
      metadata: Fields,
      method: MethodDescriptor<Request, Answer>,
    ): Stream<Answer>;
  }
}
