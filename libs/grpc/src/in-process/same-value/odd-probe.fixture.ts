import {
  CALL_STAGE,
  type CallOutcome,
  type CallStage,
  Code,
  codeName,
  isCode,
} from '@apix/contracts';
import { startHost } from '@apix/hostx/testing';
import { ProtoModule, ProtoRegistry } from '@apix/proto';
import {
  Client,
  Metadata,
  type ClientOptions,
  type ClientWritableStream,
  type MethodDefinition,
  type StatusObject,
  credentials,
  type Interceptor,
} from '@grpc/grpc-js';
import { Controller, Module } from '@nestjs/common';
import { GrpcMethod, GrpcStreamMethod } from '@nestjs/microservices';
import type { EventEmitter } from 'node:events';
import { inspect } from 'node:util';
import { type Observable, defer, lastValueFrom, map, of, tap } from 'rxjs';
import { PROBE, probe } from '../../../../grpc-client/src/client.fixture.js';
import { serviceDefinition } from '../../descriptor/service-definition.js';
import { GrpcModule } from '../../nest/grpc.module.js';
import { GrpcServer } from '../../nest/grpc-server.js';
import type { ServerStack } from '../../server/grpc-options.js';
import { openingCalls } from '../opened-calls.fixture.js';

/** The four methods of the probe, one of each kind. */
export const KINDS = ['Unary', 'ServerStream', 'ClientStream', 'BidiStream'] as const;
export type Kind = (typeof KINDS)[number];

/** The ways to the server: those without a socket must not differ from the one with. */
export const WAYS = [
  'network',
  'network, http2',
  'in-process',
  'in-process, of one type',
  'handed over',
] as const;
export type Way = (typeof WAYS)[number];

/** What the handlers of the probe do with a call. */
export interface Behaviour {
  /** Makes the message that is returned or emitted. Default: an empty one. */
  readonly answer?: () => unknown;
  /** Makes what the handler returns, in place of a message. */
  readonly result?: () => unknown;
  /** Looks at a request. */
  readonly onRequest?: (request: unknown) => void;
}

let current: Behaviour = {};
let outcomes: CallOutcome[] = [];
/** Counts the calls; over a network one may end at the server after the next one has begun. */
let asking = 0;
const CALL_KEY = 'x-call';
let ended = (): void => {};

const note = (request: unknown): void => current.onRequest?.(request);
const answer = (): unknown => (current.answer ?? (() => ({})))();

@Controller()
class OddController {
  @GrpcMethod('apix.testdata.Probe', 'Unary')
  unary(request: unknown): unknown {
    note(request);
    return current.result === undefined ? answer() : current.result();
  }

  @GrpcMethod('apix.testdata.Probe', 'ServerStream')
  serverStream(request: unknown): unknown {
    note(request);
    return current.result === undefined ? defer(() => of(answer())) : current.result();
  }

  @GrpcStreamMethod('apix.testdata.Probe', 'ClientStream')
  async clientStream(requests: Observable<unknown>): Promise<unknown> {
    if (current.result !== undefined) return current.result();
    await lastValueFrom(requests.pipe(tap(note)), { defaultValue: undefined });
    return answer();
  }

  @GrpcStreamMethod('apix.testdata.Probe', 'BidiStream')
  bidiStream(requests: Observable<unknown>): unknown {
    if (current.result !== undefined) return current.result();
    return requests.pipe(tap(note), map(answer));
  }
}

const watch: CallStage = {
  [CALL_STAGE]: true,
  name: 'watch',
  bind: () => ({
    onEnd: ({ metadata }, outcome) => {
      if (String(metadata.get(CALL_KEY)[0]) !== String(asking)) return;
      outcomes.push(outcome);
      ended();
    },
  }),
};

export interface Limits {
  readonly maxReceiveBytes?: number;
  readonly maxSendBytes?: number;
}

export interface OddProbe {
  /** Makes a call, and looks at what came of it when both ends are through with it. */
  ask(way: Way, kind: Kind, asked: Asked): Promise<Seen>;
  close(): Promise<void>;
}

async function startProbe(stack: ServerStack, limits: Limits) {
  @Module({
    imports: [
      ProtoModule.forRoot({ descriptors: PROBE }),
      GrpcModule.forRoot({ port: 0, host: '127.0.0.1', stack, ...limits }),
    ],
    controllers: [OddController],
    providers: [{ provide: 'watch', useValue: watch }],
  })
  class OddApp {}

  return startHost(OddApp, { http: false });
}

/** Starts the probe, and gives a client for each way to it. */
export async function oddProbe(limits: Limits = {}): Promise<OddProbe> {
  const { app, stop } = await startProbe('grpc-js', limits);
  const other = await startProbe('http2', limits);
  const server = app!.get(GrpcServer);
  const clientOf = (target: string, options?: ClientOptions): Client =>
    new Client(target, credentials.createInsecure(), options);
  const through = (interceptor: Interceptor): Client =>
    clientOf('in-process.invalid:1', { interceptors: [interceptor] });
  const clients = {
    network: clientOf(server.address),
    'network, http2': clientOf(other.app!.get(GrpcServer).address),
    'in-process': through(server.clientInterceptor()),
    'in-process, of one type': through(server.clientInterceptor()),
    'handed over': through(openingCalls(server, (path) => probe.method(path))),
  };
  const own = serviceDefinition(probe.services[0]!);
  const served = serviceDefinition(app!.get(ProtoRegistry).services[0]!);
  return {
    ask: (way, kind, asked) => {
      // Codecs that are the server's own need no bytes.
      const definition = (way === 'in-process, of one type' ? served : own)[kind]!;
      return ask(clients[way], definition, kind, asked);
    },
    async close() {
      for (const client of Object.values(clients)) client.close();
      await Promise.all([stop(), other.stop()]);
    },
  };
}

/** All that either end can see of a call. */
export interface Seen {
  readonly status: string;
  readonly details: string;
  readonly requests: readonly string[];
  readonly responses: readonly string[];
  readonly event: string;
}

/** A value with all that makes a difference: classes, negative zeros, symbols, accessors. */
export function shown(value: unknown): string {
  return inspect(value, {
    depth: Infinity,
    sorted: true,
    maxArrayLength: Infinity,
    maxStringLength: 200,
    showHidden: false,
    breakLength: Infinity,
  });
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

type Definition = MethodDefinition<unknown, unknown>;

export interface Asked extends Behaviour {
  /** Makes the requests. Default: one that is empty. */
  readonly requests?: () => readonly unknown[];
  /** Runs when the requests were sent. */
  readonly afterSending?: () => void;
  /** Looks at a response. */
  readonly onResponse?: (response: unknown) => void;
  /** Whether the event counts; whose call fails at its own end may or may not have come that far. */
  readonly hasEvent?: boolean;
}

async function ask(
  client: Client,
  definition: Definition,
  kind: Kind,
  asked: Asked,
): Promise<Seen> {
  const received: unknown[] = [];
  const got: unknown[] = [];
  current = {
    ...asked,
    onRequest: (request) => {
      received.push(request);
      asked.onRequest?.(request);
    },
  };
  outcomes = [];
  asking += 1;
  const whenEnded = new Promise<void>((resolve) => (ended = resolve));
  const status = await call(client, definition, kind, asked, got);
  await Promise.race([whenEnded, turns(20)]);
  // What either end still does to its own messages must not reach the other.
  await turns(2);
  const { code, details } = status;
  return {
    status: isCode(code) ? codeName(code) : String(code),
    details,
    requests: received.map(shown),
    responses: got.map(shown),
    event: asked.hasEvent === false ? '' : outcomes.map(eventOf).join('; '),
  };
}

async function turns(count: number): Promise<void> {
  for (let done = 0; done < count; done += 1) await turn();
}

function eventOf({ code, message, error }: CallOutcome): string {
  const words =
    error === undefined ? '' : ` ${error instanceof Error ? error.message : shown(error)}`;
  return `${Code[code]} ${message}${words}`;
}

function call(
  client: Client,
  definition: Definition,
  kind: Kind,
  asked: Asked,
  got: unknown[],
): Promise<StatusObject> {
  const requests = (asked.requests ?? (() => [{}]))();
  const codec = [
    definition.path,
    definition.requestSerialize,
    definition.responseDeserialize,
  ] as const;
  const take = (message: unknown): void => {
    got.push(message);
    asked.onResponse?.(message);
  };
  const keep = (_error: unknown, message: unknown): void => {
    if (message !== undefined) take(message);
  };
  const metadata = new Metadata();
  metadata.set(CALL_KEY, String(asking));
  return new Promise((resolve) => {
    const watched = <Call extends EventEmitter>(made: Call): Call => {
      made.on('error', () => {});
      made.on('data', take);
      made.on('status', (status: StatusObject) => setImmediate(resolve, status));
      return made;
    };
    const send = (made: ClientWritableStream<unknown>): void => {
      for (const request of requests) made.write(request);
      made.end();
    };
    switch (kind) {
      case 'Unary':
        watched(client.makeUnaryRequest(...codec, requests[0], metadata, keep));
        break;
      case 'ServerStream':
        watched(client.makeServerStreamRequest(...codec, requests[0], metadata));
        break;
      case 'ClientStream':
        send(watched(client.makeClientStreamRequest(...codec, metadata, keep)));
        break;
      case 'BidiStream':
        send(watched(client.makeBidiStreamRequest(...codec, metadata)));
        break;
    }
    asked.afterSending?.();
  });
}
