import { stageInterceptor } from '@apix/calls/grpc';
import type { InProcessSettings } from '@apix/calls';
import { CALL_STAGE, type CallStage, codeName } from '@apix/contracts';
import {
  type CallOptions,
  Client,
  type Interceptor,
  Metadata,
  type ServiceDefinition,
  type StatusObject,
  type UntypedHandleCall,
  credentials,
} from '@grpc/grpc-js';
import { boundPort } from '../../../grpc-client/src/bound-port.fixture.js';
import { CallableServer } from './callable-server.js';
import { InProcessEntry } from './in-process-entry.js';

export const KINDS = ['unary', 'serverStream', 'clientStream', 'bidi'] as const;
export type Kind = (typeof KINDS)[number];

/** One method of each kind, whose messages are JSON. */
const SERVICE: ServiceDefinition = Object.fromEntries(
  KINDS.map((kind) => [
    kind,
    {
      path: `/test.Kinds/${kind}`,
      requestStream: kind === 'clientStream' || kind === 'bidi',
      responseStream: kind === 'serverStream' || kind === 'bidi',
      requestSerialize: toBytes,
      requestDeserialize: fromBytes,
      responseSerialize: toBytes,
      responseDeserialize: fromBytes,
    },
  ]),
);

/** A text is sent as it is, so that it cannot be read; a bigint cannot be written. */
export function toBytes(value: unknown): Buffer {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
}

export function fromBytes(bytes: Buffer): unknown {
  return JSON.parse(String(bytes));
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** What happened at each end, in order. */
export interface Trace {
  readonly client: string[];
  readonly stage: string[];
  readonly server: string[];
}

/** A call as handlers of every kind see it. */
export interface AnyServerCall {
  readonly metadata: Metadata;
  readonly request?: unknown;
  readonly cancelled: boolean;
  sendMetadata(metadata: Metadata): void;
  getDeadline(): Date | number;
  on(event: string, listener: (value: never) => void): unknown;
  emit(event: string, value: unknown): boolean;
  write(message: unknown): boolean;
  end(trailers?: Metadata): unknown;
}

export type Respond = (error: unknown, value?: unknown, trailers?: Metadata) => void;

/** A call as every kind of client sees it. */
export interface AnyClientCall {
  cancel(): void;
  on(event: string, listener: (value: never) => void): unknown;
  write(message: unknown): boolean;
  end(): unknown;
}

export type Handler = (call: AnyServerCall, respond: Respond) => unknown;

export type Transport = 'network' | 'in-process';

/** A call under way. */
export interface Started {
  readonly call: AnyClientCall;
  /** When its status came. */
  readonly done: Promise<void>;
  readonly cancel: () => void;
}

/** What a client does with its call. */
export type Drive = (call: AnyClientCall) => void;

/** The request of kinds with a single one. */
const REQUEST = { n: 0 };

/** Of metadata, what the tests put there; transports add some of their own. */
export function own(metadata: Metadata): string {
  const keys = Object.keys(metadata.getMap()).filter((key) => key.startsWith('x-'));
  return JSON.stringify(keys.toSorted().map((key) => [key, metadata.get(key).map(String)]));
}

/** Without what differs from call to call, how long it took and where to, and in wording. */
function wordsOf(details: string): string {
  return details
    .replace(/ after [\d.]+s.*/, '')
    .replace(/^(?:Received a second request|the method takes one request).*/, 'a second request');
}

/** A server of all kinds and a client of it. */
export class Link {
  readonly door = new InProcessEntry();
  readonly trace: Trace = { client: [], stage: [], server: [] };
  readonly #server: CallableServer;
  readonly #whenEnded: Promise<void>;
  client!: Client;

  constructor(handler: Handler, stage: Partial<ReturnType<CallStage['bind']>> = {}) {
    let ended = (): void => {};
    this.#whenEnded = new Promise((resolve) => (ended = resolve));
    const { stage: noted } = this.trace;
    const watch: CallStage = {
      [CALL_STAGE]: true,
      name: 'watch',
      bind: () => ({
        onCall: (call) => void noted.push(`call ${call.method.kind}`),
        onMessage: (_call, message) => void noted.push(`message ${JSON.stringify(message)}`),
        onSend: (_call, message) => void noted.push(`send ${JSON.stringify(message)}`),
        onEnd: (_call, { code, cancelled }) => {
          noted.push(`end ${codeName(code)}${cancelled ? ' by the caller' : ''}`);
          ended();
        },
        ...stage,
      }),
    };
    const interceptor = stageInterceptor([watch], () => undefined);
    this.#server = new CallableServer({ interceptors: [interceptor] }, () => undefined);
    const handle: UntypedHandleCall = (call: unknown, respond: unknown) =>
      handler(call as AnyServerCall, respond as Respond);
    this.#server.addService(SERVICE, Object.fromEntries(KINDS.map((kind) => [kind, handle])));
  }

  /** When the stages were told that the call is over. */
  get ended(): Promise<void> {
    return this.#whenEnded;
  }

  /** Opens the door again, after it was closed. */
  reopen(): void {
    this.door.serve(this.#server);
  }

  /** When the handler has begun. */
  async begun(): Promise<void> {
    while (this.trace.server.length === 0) await turn();
  }

  /** When a few turns of the event loop bring nothing more. */
  async quiet(): Promise<void> {
    for (let turns = 0; turns < 20; turns += 1) await turn();
  }

  /** @param outer interceptors of the client before the call is sent. */
  async open(
    transport: Transport,
    outer: readonly Interceptor[] = [],
    client: InProcessSettings = {},
  ): Promise<void> {
    const port = await boundPort(this.#server);
    this.door.serve(this.#server);
    const isLocal = transport === 'in-process';
    const target = isLocal ? 'in-process.invalid:1' : `127.0.0.1:${port}`;
    const inner = isLocal ? [this.door.clientInterceptor(client)] : [];
    const interceptors = [...outer, ...inner];
    this.client = new Client(target, credentials.createInsecure(), { interceptors });
  }

  /** Makes a call, which writes down what comes back, and resolves when its status came. */
  call(
    kind: Kind,
    metadata = new Metadata(),
    options: CallOptions = {},
    drive: Drive = () => {},
  ): Promise<void> {
    return this.start(kind, metadata, options, drive).done;
  }

  /** The same, and leaves the call to be played with. */
  start(
    kind: Kind,
    metadata = new Metadata(),
    options: CallOptions = {},
    drive: Drive = () => {},
  ): Started {
    const { client: noted } = this.trace;
    const call = this.#make(kind, metadata, options);
    call.on('metadata', (headers: Metadata) => noted.push(`headers ${own(headers)}`));
    call.on('data', (message: unknown) => noted.push(`data ${JSON.stringify(message)}`));
    call.on('end', () => noted.push('end'));
    call.on('error', ({ code }: StatusObject) => noted.push(`error ${codeName(code)}`));
    const done = new Promise<void>((resolve) => {
      call.on('status', ({ code, details, metadata: trailers }: StatusObject) => {
        noted.push(`status ${codeName(code)} ${wordsOf(details)} ${own(trailers)}`);
        resolve();
      });
    });
    drive(call);
    return { call, done, cancel: () => call.cancel() };
  }

  /** The response to a unary call with this request. */
  ask(request: unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const path = SERVICE['unary']!.path;
      this.client.makeUnaryRequest(path, toBytes, fromBytes, request, (error, value) =>
        error === null ? resolve(value) : reject(error),
      );
    });
  }

  #make(kind: Kind, metadata: Metadata, options: CallOptions): AnyClientCall {
    const { client: noted } = this.trace;
    const codec = [SERVICE[kind]!.path, toBytes, fromBytes] as const;
    const respond = (_error: unknown, message: unknown): void => {
      if (message !== undefined) noted.push(`data ${JSON.stringify(message)}`);
    };
    switch (kind) {
      case 'unary':
        return this.client.makeUnaryRequest(
          ...codec,
          REQUEST,
          metadata,
          options,
          respond,
        ) as unknown as AnyClientCall;
      case 'serverStream':
        return this.client.makeServerStreamRequest(
          ...codec,
          REQUEST,
          metadata,
          options,
        ) as unknown as AnyClientCall;
      case 'clientStream':
        return this.client.makeClientStreamRequest(
          ...codec,
          metadata,
          options,
          respond,
        ) as unknown as AnyClientCall;
      case 'bidi':
        return this.client.makeBidiStreamRequest(
          ...codec,
          metadata,
          options,
        ) as unknown as AnyClientCall;
    }
  }

  close(): void {
    this.client.close();
    this.#server.forceShutdown();
  }
}
