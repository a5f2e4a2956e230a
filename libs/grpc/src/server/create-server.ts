import type { ServerInterceptor } from '@grpc/grpc-js';
import { Http2GrpcServer } from '../http2/http2-grpc-server.js';
import { CallableServer } from '../in-process/callable-server.js';
import { WrittenAnswers } from '../flow/written-answers.js';
import { noteAcceptedEncodings } from '../patches/accepted-encodings.js';
import { compressingAnswers } from '../patches/compress-answers.js';
import { readingOneByOne } from '../patches/read-one-by-one.js';
import { watchingWrites } from '../patches/watch-writes.js';
import { bind } from './bind.js';
import type { OpenConnections } from './open-connections.js';
import { listeningServer } from './drain.js';
import type { ResolvedGrpcOptions } from './grpc-options.js';
import type { ResolvedListenOptions } from './listen-options.js';
import type { ListeningServer, NetworkServer, NetworkServerParts } from './network-server.js';

/** A server whose every call, from the network or in-process, passes the stages first. */
export function createServer(
  options: ResolvedGrpcOptions,
  parts: NetworkServerParts,
): NetworkServer {
  return options.stack === 'http2'
    ? new Http2GrpcServer(options, parts)
    : grpcJsServer(options, parts);
}

class GrpcJsServer extends CallableServer implements NetworkServer {
  /** Without the patches of a connection, which a call in-process does not have. */
  override readonly callInterceptors: readonly ServerInterceptor[];
  readonly #connections: OpenConnections | undefined;

  constructor(
    patches: readonly ServerInterceptor[],
    { channelOptions, interceptors, unsent }: ResolvedGrpcOptions,
    { stages, describe, connections }: NetworkServerParts,
  ) {
    const ofCalls = [stages, ...interceptors];
    super({ ...channelOptions, interceptors: [...patches, ...ofCalls] }, describe, unsent);
    this.callInterceptors = ofCalls;
    this.#connections = connections;
  }

  async listenAt(settings: ResolvedListenOptions): Promise<ListeningServer> {
    return listeningServer(this, await bind(this, settings, this.#connections));
  }
}

function grpcJsServer(options: ResolvedGrpcOptions, parts: NetworkServerParts): GrpcJsServer {
  const { unsent, compression } = options;
  const patches = [readingOneByOne, watchingWrites(new WrittenAnswers(unsent))];
  if (compression !== undefined) patches.push(compressingAnswers(compression));
  const server = new GrpcJsServer(patches, options, parts);
  if (compression !== undefined) noteAcceptedEncodings(server);
  return server;
}
