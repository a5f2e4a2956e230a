import { type Deadline, type Duration, Mistakes } from '@apix/contracts';
import {
  option,
  type OptionTable,
  readOptions,
  required,
  TEXT,
  withDefault,
  untilAborted,
} from '@apix/contracts/internal';
import { type DrainBegin, type Service } from '@apix/hostx/core';
import { DrainDelay } from '@apix/hostx/internal';
import type { Server } from '@grpc/grpc-js';
import { GrpcSetupError } from '@apix/grpc-client/core';
import { addressOf } from './address.js';
import { bind } from './bind.js';
import { drain, listeningServer } from './drain.js';
import type { ListeningServer } from './network-server.js';
import {
  LISTEN_OPTIONS,
  listeningOf,
  type ListenOptions,
  refuseTwoCredentials,
  type ResolvedListenOptions,
  timer,
} from './listen-options.js';

export interface GrpcServerServiceOptions extends ListenOptions {
  /**
   * The server, not bound, with its services added. grpc-js lets a server try an address once, so
   * a service with a restart policy needs a function that makes a new one for each start.
   * Required.
   */
  readonly server: Server | (() => Server);
  /** Unique in the host. Default: 'grpc'. */
  readonly name?: string;
  /**
   * For how long it keeps serving once the shutdown has begun, so that load balancers can remove it; half
   * of the time left at most. Skipped without a load balancer, as with `httpService`. Default: '5s', but 0
   * in Development and Test.
   */
  readonly drainDelay?: Duration;
}

const GRPC_SERVER_SERVICE_OPTIONS = {
  // By shape: a second copy of grpc-js has its own class.
  server: required<ServerOption | undefined>(
    option('a Server of grpc-js, or a function that makes one', isServerOption),
    undefined,
  ),
  name: withDefault(TEXT, 'grpc'),
  ...LISTEN_OPTIONS,
  drainDelay: timer(),
} satisfies OptionTable<GrpcServerServiceOptions>;

type ServerOption = GrpcServerServiceOptions['server'];

function isServerOption(value: unknown): boolean {
  return typeof value === 'function' || typeof (value as Server | null)?.bindAsync === 'function';
}

/**
 * A grpc-js server of your own as a hosted service: ready once it accepts, stopped gracefully and
 * at the deadline by force.
 *
 * @throws GrpcSetupError that lists every mistake in the options.
 */
export function grpcServerService(options: GrpcServerServiceOptions): GrpcServerService {
  return new GrpcServerService(options);
}

export class GrpcServerService implements Service {
  readonly name: string;
  readonly #serverOf: () => Server;
  readonly #listen: ResolvedListenOptions;
  readonly #drainDelay: DrainDelay;
  #binding: Promise<ListeningServer> | undefined;
  #port = 0;
  #isAccepting = false;

  constructor(options: GrpcServerServiceOptions) {
    const mistakes = new Mistakes();
    const read = readOptions(GRPC_SERVER_SERVICE_OPTIONS, options, '', mistakes);
    refuseTwoCredentials(options, mistakes);
    const { name, server } = read;
    mistakes.throwIfAny((found) => new GrpcSetupError(found, { service: name }));
    this.name = name;
    this.#serverOf = typeof server === 'function' ? server : () => server!;
    this.#listen = listeningOf(read);
    this.#drainDelay = new DrainDelay(read.drainDelay);
  }

  /** The bound port; 0 before it accepts and after it stopped. */
  get port(): number {
    return this.#port;
  }

  /** `host:port` that it is bound to; '' before it accepts and after it stopped. */
  get addr(): string {
    return !this.#isAccepting ? '' : addressOf(this.#listen.host, this.#port);
  }

  async start(signal: AbortSignal): Promise<void> {
    this.#binding = this.#bind();
    this.#port = (await this.#binding).port;
    this.#isAccepting = true;
    await untilAborted(signal);
  }

  /**
   * Reads the certificates of the option `tls` again, for an `onReload` hook.
   *
   * @throws GrpcSetupError that lists every mistake; the certificates then stay as they are.
   */
  reloadCertificates(): void {
    this.#listen.certificates?.reload();
  }

  /** Resolves once calls are accepted; rejects where that fails. */
  async ready(): Promise<void> {
    await this.#binding;
  }

  /** @returns for how long it keeps serving, in milliseconds */
  beginDrain(how?: DrainBegin): number {
    return this.#drainDelay.begin(how);
  }

  /** @throws Error where calls had to be cut off at the deadline. */
  async stop(deadline: Deadline): Promise<void> {
    const listening = await this.#binding?.catch(() => undefined);
    if (listening === undefined) return;
    await this.#drainDelay.pass(deadline);
    this.#port = 0;
    this.#isAccepting = false;
    await drain(listening, deadline);
  }

  async #bind(): Promise<ListeningServer> {
    const server = this.#serverOf();
    return listeningServer(server, await bind(server, this.#listen));
  }
}
