import {
  type Deadline,
  FORWARDED_KEY,
  IN_PROCESS_SERVER,
  type InProcessCallOptions,
  type InProcessClientOptions,
  type InProcessServer,
  WRITE_ANSWER,
  untilAborted,
} from '@apix/contracts';
import {
  type InterceptingCall,
  type Interceptor,
  type InterceptorOptions,
  type Metadata,
  status,
} from '@grpc/grpc-js';
import { type Acceptance, ClientSide, type ServerEntry } from './client-side.js';
import { Hops } from './hops.js';
import { receiveLimit } from './byte-limits.js';
import { MessagePath } from './message-path.js';
import type { CallableServer } from './callable-server.js';
import { joinValues, wireMetadata } from './wire-metadata.js';

/**
 * The way into a gRPC server from the same process. It outlives the server, which a host may
 * stop and start anew.
 */
export class InProcessEntry implements InProcessServer {
  readonly [IN_PROCESS_SERVER] = true as const;
  readonly #hops = new Hops();
  readonly #calls = new Set<ClientSide>();
  #server: CallableServer | undefined;
  #whenEmpty: (() => void) | undefined;

  /** Calls under way. */
  get active(): number {
    return this.#calls.size;
  }

  /** Calls go to this server from now on. */
  open(server: CallableServer): void {
    this.#server = server;
  }

  serves(fullMethodName: string): boolean {
    return this.#server?.handlerOf(fullMethodName) !== undefined;
  }

  clientInterceptor(options: InProcessClientOptions): Interceptor {
    const entry: ServerEntry = {
      hops: this.#hops,
      accept: (call, metadata) => this.#accept(call, metadata, options),
      entered: (call) => this.#calls.add(call),
      left: (call) => this.#left(call),
    };
    // grpc-js types an interceptor's result by class, and uses only this interface of it.
    return (call) => new ClientSide(entry, call) as unknown as InterceptingCall;
  }

  /**
   * Refuses new calls as UNAVAILABLE and waits for those under way; whatever is left at the
   * deadline is cancelled.
   *
   * @returns how many calls were cancelled.
   */
  async close(deadline: Deadline): Promise<number> {
    this.#server = undefined;
    if (this.#calls.size > 0) await this.#emptyBy(deadline.signal);
    const left = [...this.#calls];
    for (const call of left) call.cancelWithStatus(status.UNAVAILABLE, DRAINED);
    return left.length;
  }

  async #emptyBy(signal: AbortSignal): Promise<void> {
    const empty = new Promise<void>((resolve) => {
      this.#whenEmpty = resolve;
    });
    await Promise.race([empty, untilAborted(signal)]);
  }

  #left(call: ClientSide): void {
    this.#calls.delete(call);
    if (this.#calls.size === 0) this.#whenEmpty?.();
  }

  #accept(
    call: InterceptorOptions & InProcessCallOptions,
    sent: Metadata,
    options: InProcessClientOptions,
  ): Acceptance {
    const server = this.#server;
    if (server === undefined)
      return { refusal: { code: status.UNAVAILABLE, details: NOT_SERVING } };
    const { method_definition: client } = call;
    const handler = server.handlerOf(client.path);
    if (handler === undefined) {
      const details = `The server does not implement the method ${client.path}`;
      return { refusal: { code: status.UNIMPLEMENTED, details } };
    }
    const metadata = options.handOver ? joinValues(sent) : wireMetadata(sent);
    if (options.forwarded) metadata.set(FORWARDED_KEY, '1');
    const limits = { ...server.limits, response: receiveLimit(options.maxReceiveBytes) };
    const { handOver = false } = options;
    const messages = new MessagePath(client, handler, { handOver, limits });
    const writeAnswer = handOver ? call[WRITE_ANSWER] : undefined;
    return { handler, interceptors: server.callInterceptors, messages, writeAnswer, metadata };
  }
}

const NOT_SERVING = 'the in-process server does not take calls';
const DRAINED = 'the in-process server has stopped';
