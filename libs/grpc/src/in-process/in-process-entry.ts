import {
  type Call,
  type CallHead,
  type CallListener,
  type InProcessServer,
  type InProcessSettings,
} from '@apix/calls';
import { IN_PROCESS_SETTINGS } from '@apix/calls/internal';
import { type Deadline, IN_PROCESS_SERVER } from '@apix/contracts';
import { checkedOptions, untilAborted } from '@apix/contracts/internal';
import { setupError } from '@apix/grpc-client/internal';
import { wireCodec } from '@apix/proto/core';
import type { DescMethod, Message } from '@bufbuild/protobuf';
import { type InterceptingCall, type Interceptor, status } from '@grpc/grpc-js';
import { receiveLimit, type CallersCodec, MessagePath } from './message-path.js';
import type { CalledServer } from './served-handlers.js';
import { GrpcJsCaller } from './grpc-js-caller.js';
import { Hops } from './hops.js';
import { InProcessCall, withinReach } from './in-process-call.js';
import { Arrival, type Route } from './server-call.js';
import { joinValues, wireMetadata } from './wire-metadata.js';

/**
 * The way into a gRPC server from the same process. It outlives the server, which a host may stop and start
 * again.
 */
export class InProcessEntry implements InProcessServer {
  readonly [IN_PROCESS_SERVER] = true as const;
  readonly hops = new Hops();
  readonly #calls = new Set<InProcessCall>();
  /** As many as there are methods. */
  readonly #codecs = new WeakMap<DescMethod, CallersCodec>();
  /** Of each codec that is kept, the route of its last call. */
  readonly #routes = new WeakMap<CallersCodec, Route>();
  #server: CalledServer | undefined;
  #whenEmpty: (() => void) | undefined;

  /** Calls under way. */
  get active(): number {
    return this.#calls.size;
  }

  /** Calls go to this server from now on. */
  serve(server: CalledServer): void {
    this.#server = server;
  }

  serves(fullMethodName: string): boolean {
    return this.#server?.handlerOf(fullMethodName) !== undefined;
  }

  open<Written extends object = never>(
    head: CallHead<Written>,
    listener: CallListener<Written>,
    settings: InProcessSettings = {},
  ): Call {
    const { method, path, metadata, deadline, peer, writeAnswer } = head;
    const call = new InProcessCall(this, listener, peer);
    joinValues(metadata);
    const route = this.#routeOf(call, path, this.#codecOf(method), settings);
    if (route !== undefined) {
      call.begin(new Arrival(route, metadata, withinReach(deadline), '', writeAnswer));
    }
    return call;
  }

  /**
   * For clients of grpc-js: answers their calls without touching the channel.
   *
   * @throws GrpcSetupError that lists what is wrong with the settings.
   */
  clientInterceptor(given: InProcessSettings = {}): Interceptor {
    const settings = checkedOptions(IN_PROCESS_SETTINGS, given, setupError);
    return (options) =>
      // grpc-js types an interceptor's result by class, and uses only this interface of it.
      new GrpcJsCaller(({ method_definition: codec, host }, sent, deadline, listener) => {
        const call = new InProcessCall(this, listener, undefined);
        const metadata = wireMetadata(sent);
        const route = this.#routeOf(call, codec.path, codec, settings);
        if (route !== undefined) {
          const until = withinReach(deadline);
          call.begin(new Arrival(route, metadata, until, host ?? '', undefined));
        }
        return call;
      }, options) as unknown as InterceptingCall;
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
    for (const call of left) call.end({ code: status.UNAVAILABLE, details: DRAINED });
    return left.length;
  }

  entered(call: InProcessCall): void {
    this.#calls.add(call);
  }

  left(call: InProcessCall): void {
    this.#calls.delete(call);
    if (this.#calls.size === 0) this.#whenEmpty?.();
  }

  async #emptyBy(signal: AbortSignal): Promise<void> {
    const empty = new Promise<void>((resolve) => {
      this.#whenEmpty = resolve;
    });
    await Promise.race([empty, untilAborted(signal)]);
  }

  /** @returns undefined where the call cannot be taken; it has ended then. */
  #routeOf(
    call: InProcessCall,
    path: string,
    codec: CallersCodec,
    { maxReceiveBytes }: InProcessSettings,
  ): Route | undefined {
    const server = this.#server;
    if (server === undefined) {
      call.end({ code: status.UNAVAILABLE, details: NOT_SERVING });
      return undefined;
    }
    const handler = server.handlerOf(path);
    if (handler === undefined) {
      const details = `The server does not implement the method ${path}`;
      call.end({ code: status.UNIMPLEMENTED, details });
      return undefined;
    }
    const response = receiveLimit(maxReceiveBytes);
    const { callInterceptors: interceptors } = server;
    const known = this.#routes.get(codec);
    if (known?.messages.leadsTo(handler, response) && known.interceptors === interceptors) {
      return known;
    }
    const messages = new MessagePath(codec, handler, { ...server.limits, response });
    const route = { handler, interceptors, messages };
    // grpc-js creates a codec for each call.
    if (codec.method !== undefined) this.#routes.set(codec, route);
    return route;
  }

  #codecOf(method: DescMethod): CallersCodec {
    let codec = this.#codecs.get(method);
    if (codec === undefined) {
      codec = {
        requestSerialize: (message: Message) => wireCodec(method.input).encode(message),
        responseDeserialize: (bytes) => wireCodec(method.output).decode(bytes),
        method,
      };
      this.#codecs.set(method, codec);
    }
    return codec;
  }
}

const NOT_SERVING = 'the in-process server does not take calls';
const DRAINED = 'the in-process server has stopped';
