import {
  type AdmittedCall,
  type InProcessCallOptions,
  type InProcessServer,
  WRITE_ANSWER,
  type WriteAnswer,
} from '@apix/contracts';
import { wireCodec } from '@apix/proto/core';
import type { DescMethod, Message } from '@bufbuild/protobuf';
import type { InterceptingCall, Interceptor, InterceptorOptions, NextCall } from '@grpc/grpc-js';
import type {
  CallTransport,
  ChannelState,
  TransportCall,
  TransportHead,
  TransportListener,
} from './call-transport.js';
import { InProcessCall } from './in-process-call.js';
import { refusedCall } from './refused-call.js';

type Definition = InterceptorOptions['method_definition'];

/** How calls are made to a server of this process. */
export interface InProcessSettings {
  /** The largest answer, in bytes as on the wire; -1 for no limit. Default: 4 MiB. */
  readonly maxReceiveBytes?: number | undefined;
  /** Calls are made for another caller, as a gateway's are. Default: false. */
  readonly forwarded?: boolean;
}

/** Makes calls to a server of this process, without a socket: messages are copied, not encoded. */
export class InProcessTransport implements CallTransport {
  readonly target = 'in-process';
  readonly isSecure = true;
  readonly #open: Interceptor;
  readonly #definitions = new Map<DescMethod, Definition>();
  #isClosed = false;

  constructor(
    server: InProcessServer,
    { maxReceiveBytes, forwarded = false }: InProcessSettings = {},
  ) {
    this.#open = server.clientInterceptor({
      forwarded,
      handOver: true,
      ...(maxReceiveBytes !== undefined && { maxReceiveBytes }),
    }) as Interceptor;
  }

  get state(): ChannelState {
    return this.#isClosed ? 'closed' : 'ready';
  }

  open<Written extends object = never>(
    { method, path, metadata, deadline, writeAnswer }: TransportHead<Written>,
    listener: TransportListener<Written>,
  ): TransportCall {
    if (this.#isClosed) return refusedCall(listener);
    const options: InterceptorOptions & InProcessCallOptions = {
      method_definition: this.#definitionOf(method, path),
      deadline,
      [WRITE_ANSWER]: writeAnswer as WriteAnswer | undefined,
    };
    const carried = this.#open(options, noChannel) as InterceptingCall & AdmittedCall;
    const call = new InProcessCall(carried, method.input, listener);
    call.start(metadata);
    return call;
  }

  waitForReady(): Promise<void> {
    return this.#isClosed
      ? Promise.reject(new Error('grpc: the client is closed'))
      : Promise.resolve();
  }

  close(): void {
    this.#isClosed = true;
  }

  #definitionOf(method: DescMethod, path: string): Definition {
    let definition = this.#definitions.get(method);
    if (definition === undefined) {
      const { methodKind } = method;
      definition = {
        path,
        requestStream: methodKind === 'client_streaming' || methodKind === 'bidi_streaming',
        // A stream of requests may have its one answer asked for like those of a stream.
        responseStream: methodKind !== 'unary',
        // For messages that are not of protobuf-es alone.
        requestSerialize: (message: Message) => wireCodec(method.input).encode(message),
        responseDeserialize: (bytes: Buffer) => wireCodec(method.output).decode(bytes),
      };
      this.#definitions.set(method, definition);
    }
    return definition;
  }
}

const noChannel: NextCall = () => {
  throw new Error('grpc: an in-process server passed a call on');
};
