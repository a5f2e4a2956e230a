import type { Deadline } from '@apix/contracts';
import type { DescMethod } from '@bufbuild/protobuf';
import type {
  ServerInterceptor,
  ServiceDefinition,
  UntypedServiceImplementation,
} from '@grpc/grpc-js';
import type { CalledServer } from '../in-process/served-handlers.js';
import type { OpenConnections } from './open-connections.js';
import type { ResolvedListenOptions } from './listen-options.js';

/** A server that accepts connections. */
export interface ListeningServer {
  /** The bound port; 0 for a Unix socket. */
  readonly port: number;
  /**
   * Refuses new calls and lets those under way end; whatever is left at the deadline is ended.
   *
   * @returns whether every call ended by itself.
   */
  drain(deadline: Deadline): Promise<boolean>;
}

/** A server that calls come to from the network, whatever speaks its protocol. */
export interface NetworkServer extends CalledServer {
  /** Before it listens. */
  addService(service: ServiceDefinition, handlers: UntypedServiceImplementation): void;
  /** Makes it accept connections. @throws GrpcSetupError that names the address. */
  listenAt(settings: ResolvedListenOptions): Promise<ListeningServer>;
}

/** What a server needs besides its options. */
export interface NetworkServerParts {
  readonly stages: ServerInterceptor;
  readonly describe: (path: string) => DescMethod | undefined;
  /** A connection was ended for what its client did. */
  readonly onMisuse: (peer: string | undefined, reason: string) => void;
  /** Counts its connections, and may limit them. */
  readonly connections?: OpenConnections | undefined;
}
