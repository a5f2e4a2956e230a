import type { Http2ServerStream, ReceivedRequest, ServerStreamListener } from '@apix/http2';
import {
  type ServerInterceptor,
  type ServiceDefinition,
  type UntypedServiceImplementation,
  status,
} from '@grpc/grpc-js';
import { WrittenAnswers } from '../flow/written-answers.js';
import { serverLimits } from '../in-process/message-path.js';
import type { HandlerType, ServedHandler } from '../in-process/served-handler.js';
import { ServedHandlers } from '../in-process/served-handlers.js';
import type { ResolvedGrpcOptions } from '../server/grpc-options.js';
import type { ResolvedListenOptions } from '../server/listen-options.js';
import { passedSocket } from '../server/listen-target.js';
import type {
  ListeningServer,
  NetworkServer,
  NetworkServerParts,
} from '../server/network-server.js';
import { statusHeaders } from './answer-headers.js';
import type { ServedConnection } from './connection.js';
import { type ConnectionSettings, connectionSettings } from './connection-settings.js';
import { ListeningSocket } from './listening-socket.js';
import { httpRefusal, callRequest } from './call-request.js';
import { WireCall } from './wire-call.js';
import type { CallRules } from './wire-carrier.js';

/** Of a path that nobody serves, as much as its caller gets back. */
const SHOWN_PATH = 1_000;

/**
 * A gRPC server on our own HTTP/2. Its calls pass the same interceptors and handlers as those in-process; only what
 * carries them is another.
 */
// Why: docs/decisions/0487
export class Http2GrpcServer implements NetworkServer {
  readonly settings: ConnectionSettings;
  readonly callInterceptors: readonly ServerInterceptor[];
  readonly limits: CallRules['limits'];
  readonly #rules: CallRules;
  readonly #handlers: ServedHandlers;
  readonly onMisuse: NetworkServerParts['onMisuse'];
  readonly connections: NetworkServerParts['connections'];

  constructor(
    { channelOptions, compression, unsent }: ResolvedGrpcOptions,
    { stages, describe, onMisuse, connections }: NetworkServerParts,
  ) {
    this.settings = connectionSettings(channelOptions);
    this.callInterceptors = [stages];
    this.limits = serverLimits(channelOptions);
    this.onMisuse = onMisuse;
    this.connections = connections;
    this.#handlers = new ServedHandlers(describe, unsent);
    const { callInterceptors, limits } = this;
    this.#rules = { callInterceptors, limits, compression, written: new WrittenAnswers(unsent) };
  }

  addService(service: ServiceDefinition, handlers: UntypedServiceImplementation): void {
    for (const [name, { path, requestStream, responseStream, ...codec }] of Object.entries(
      service,
    )) {
      const type = typeOf(requestStream, responseStream);
      const own = handlers[name];
      const handle = own === undefined ? unimplemented(name, type) : own.bind(handlers);
      const { requestDeserialize: deserialize, responseSerialize: serialize } = codec;
      const added = { path, type, handle: handle as ServedHandler['handle'] };
      this.#handlers.add(this.#handlers.prepare({ ...added, codec: { deserialize, serialize } }));
    }
  }

  handlerOf(path: string): ServedHandler | undefined {
    return this.#handlers.of(path);
  }

  async listenAt(settings: ResolvedListenOptions): Promise<ListeningServer> {
    return ListeningSocket.open(settings, this, await passedSocket(settings));
  }

  /** Begins the call that a request is, or answers it: a request that is none, or that nobody serves. */
  accept(
    connection: ServedConnection,
    stream: Http2ServerStream,
    request: ReceivedRequest,
  ): ServerStreamListener {
    const httpStatus = httpRefusal(request);
    if (httpStatus !== undefined) {
      const allowed = httpStatus === 405 ? ['allow', 'POST'] : [];
      return answered(connection, stream, [':status', String(httpStatus), ...allowed]);
    }
    const { path } = request;
    const served = this.#handlers.of(path);
    if (served === undefined) {
      const details = `The server does not implement the method ${path.slice(0, SHOWN_PATH)}`;
      const refusal = { code: status.UNIMPLEMENTED, details, metadata: null };
      return answered(connection, stream, statusHeaders(refusal));
    }
    const call = new WireCall(this.#rules, connection, stream, callRequest(request), served);
    call.begin();
    return call;
  }
}

function answered(
  connection: ServedConnection,
  stream: Http2ServerStream,
  headers: readonly string[],
): ServerStreamListener {
  stream.respond(headers, true);
  connection.ended();
  return NOBODY;
}

const NOBODY: ServerStreamListener = { onData: ignore, onEnd: ignore, onClosed: ignore };

function ignore(): void {
  // The request is answered.
}

function typeOf(requestStream: boolean, responseStream: boolean): HandlerType {
  if (requestStream) return responseStream ? 'bidi' : 'clientStream';
  return responseStream ? 'serverStream' : 'unary';
}

/** The handler of a method that a service has, and nobody implements: it is for the stages to see, as any other. */
function unimplemented(name: string, type: HandlerType): ServedHandler['handle'] {
  const details = `The server does not implement the method ${name}`;
  const error = { code: status.UNIMPLEMENTED, details };
  return (call, answer) => {
    if (type === 'unary' || type === 'clientStream') (answer as (error: object) => void)(error);
    else (call as { emit(event: 'error', error: object): void }).emit('error', error);
  };
}
