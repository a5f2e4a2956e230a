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
import type { ServedHandler } from './served-handler.js';
import { joinValues, wireMetadata } from './wire-metadata.js';

/**
 * The way into a gRPC server from the same process. It outlives the server, which a host may stop and start
 * again.
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
    const client: LocalClient = { ...options, paths: new WeakMap() };
    const entry: ServerEntry = {
      hops: this.#hops,
      accept: (call, metadata, deadline) => this.#accept(client, call, metadata, deadline),
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
    client: LocalClient,
    call: InterceptorOptions & InProcessCallOptions,
    sent: Metadata,
    deadline: number,
  ): Acceptance {
    const server = this.#server;
    if (server === undefined) {
      return { refusal: { code: status.UNAVAILABLE, details: NOT_SERVING } };
    }
    const { method_definition: definition, host = '' } = call;
    const handler = server.handlerOf(definition.path);
    if (handler === undefined) {
      const details = `The server does not implement the method ${definition.path}`;
      return { refusal: { code: status.UNIMPLEMENTED, details } };
    }
    const { handOver = false } = client;
    const metadata = handOver ? joinValues(sent) : wireMetadata(sent);
    if (client.forwarded) metadata.set(FORWARDED_KEY, '1');
    return {
      handler,
      interceptors: server.callInterceptors,
      messages: pathOf(client, server, handler, definition),
      writeAnswer: handOver ? call[WRITE_ANSWER] : undefined,
      metadata,
      deadline,
      host,
    };
  }
}

/** A client, and how its messages got to each handler when it last called it. */
interface LocalClient extends InProcessClientOptions {
  readonly paths: WeakMap<ServedHandler, MessagePath>;
}

/** A client whose method has one definition for all calls needs one path for them. */
function pathOf(
  { paths, handOver = false, maxReceiveBytes }: LocalClient,
  server: CallableServer,
  handler: ServedHandler,
  definition: InterceptorOptions['method_definition'],
): MessagePath {
  const known = paths.get(handler);
  if (known?.isOf(definition)) return known;
  const limits = { ...server.limits, response: receiveLimit(maxReceiveBytes) };
  const path = new MessagePath(definition, handler, { handOver, limits });
  paths.set(handler, path);
  return path;
}

const NOT_SERVING = 'the in-process server does not take calls';
const DRAINED = 'the in-process server has stopped';
