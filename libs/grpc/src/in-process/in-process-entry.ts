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
import { InProcessCall } from './in-process-call.js';
import { contextOfNow } from './mailbox.js';

/**
 * The way into a gRPC server from the same process. It outlives the server, which a host may stop and start
 * again.
 */
export class InProcessEntry implements InProcessServer {
  readonly [IN_PROCESS_SERVER] = true as const;
  /** In which handlers run. */
  readonly context = contextOfNow();
  readonly #calls = new Set<InProcessCall>();
  /** As many as there are methods. */
  readonly #codecs = new WeakMap<DescMethod, CallersCodec>();
  /** Of each codec that is kept, the path of its last call. */
  readonly #paths = new WeakMap<CallersCodec, MessagePath>();
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
    const call = new InProcessCall(this, head, listener);
    this.#begin(call, head.path, this.#codecOf(head.method), settings);
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
        const head = { metadata: sent.clone(), deadline, host };
        const call = new InProcessCall(this, head, listener);
        this.#begin(call, codec.path, codec, settings);
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

  /** Gives the call to the server, or ends it. */
  #begin(
    call: InProcessCall,
    path: string,
    codec: CallersCodec,
    { maxReceiveBytes }: InProcessSettings,
  ): void {
    const server = this.#server;
    const handler = server?.handlerOf(path);
    if (server === undefined) call.end({ code: status.UNAVAILABLE, details: NOT_SERVING });
    else if (handler === undefined) {
      const details = `The server does not implement the method ${path}`;
      call.end({ code: status.UNIMPLEMENTED, details });
    } else {
      const response = receiveLimit(maxReceiveBytes);
      let messages = this.#paths.get(codec);
      if (messages?.leadsTo(handler, response) !== true) {
        messages = new MessagePath(codec, handler, { ...server.limits, response });
        // grpc-js creates a codec for each call.
        if (codec.method !== undefined) this.#paths.set(codec, messages);
      }
      call.begin(messages, server.callInterceptors);
    }
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
