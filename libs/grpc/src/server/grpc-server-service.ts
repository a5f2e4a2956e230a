import type { Deadline } from '@apix/contracts';
import type { Service } from '@apix/hostx/core';
import type { Server } from '@grpc/grpc-js';
import { GrpcSetupError } from '../errors.js';
import { untilAborted } from '../until-aborted.js';
import { addressOf } from './address.js';
import { type Listener, bind } from './bind.js';
import { drain } from './drain.js';
import {
  type ListenOptions,
  type ResolvedListenOptions,
  resolveListenOptions,
} from './listen-options.js';

export interface GrpcServerServiceOptions extends ListenOptions {
  /** The server, with its services added already; it is not bound yet. Required. */
  readonly server: Server;
  /** Unique in the host. Default: 'grpc'. */
  readonly name?: string;
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
  readonly #options: GrpcServerServiceOptions;
  readonly #listen: ResolvedListenOptions;
  #bound: Promise<Listener> | undefined;
  #port = 0;

  constructor(options: GrpcServerServiceOptions) {
    this.name = options.name ?? 'grpc';
    this.#options = options;
    this.#listen = resolveListenOptions(options);
  }

  /** The bound port; 0 before it accepts. */
  get port(): number {
    return this.#port;
  }

  /** `host:port` that it is bound to; '' before it accepts. */
  get addr(): string {
    return this.#port === 0 ? '' : addressOf(this.#listen.host, this.#port);
  }

  /** Resolves once calls are accepted; rejects where that fails. */
  async ready(): Promise<void> {
    if (this.#bound === undefined) {
      throw new GrpcSetupError([`service ${this.name}: has not been started`]);
    }
    await this.#bound;
  }

  async start(signal: AbortSignal): Promise<void> {
    this.#bound = bind(this.#options.server, this.#listen);
    this.#port = (await this.#bound).port;
    await untilAborted(signal);
  }

  /** @throws Error where calls had to be cut off at the deadline. */
  async stop(deadline: Deadline): Promise<void> {
    if (this.#bound === undefined) return;
    const listener = await this.#bound.catch(() => undefined);
    this.#port = 0;
    listener?.stopAccepting();
    await drain(this.#options.server, deadline);
  }
}
