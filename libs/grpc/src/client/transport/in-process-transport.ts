import { isServerStatus } from '@apix/calls';
import type { InProcessServer } from '@apix/contracts';
import { wireCodec } from '@apix/proto/core';
import type { DescMethod, Message } from '@bufbuild/protobuf';
import {
  type InterceptingCall,
  type Interceptor,
  type InterceptorOptions,
  type Metadata,
  type NextCall,
  type StatusObject,
  status as GrpcStatus,
} from '@grpc/grpc-js';
import type {
  CallTransport,
  ChannelState,
  TransportCall,
  TransportHead,
  TransportListener,
} from './call-transport.js';
import { refusedCall } from './refused-call.js';

type Definition = InterceptorOptions['method_definition'];

/** Makes calls to a server of this process, without a socket: messages are copied, not encoded. */
export class InProcessTransport implements CallTransport {
  readonly target = 'in-process';
  readonly isSecure = true;
  readonly #open: Interceptor;
  readonly #definitions = new Map<DescMethod, Definition>();
  #isClosed = false;

  /** @param maxReceiveBytes the largest answer, as on the wire; -1 for no limit. Default: 4 MiB. */
  constructor(server: InProcessServer, maxReceiveBytes?: number) {
    this.#open = server.clientInterceptor({
      forwarded: false,
      handOver: true,
      ...(maxReceiveBytes !== undefined && { maxReceiveBytes }),
    }) as Interceptor;
  }

  get state(): ChannelState {
    return this.#isClosed ? 'closed' : 'ready';
  }

  open(
    { method, path, metadata, deadline }: TransportHead,
    listener: TransportListener,
  ): TransportCall {
    if (this.#isClosed) return refusedCall(listener);
    const definition = this.#definitionOf(method, path);
    const call = this.#open({ method_definition: definition, deadline }, noChannel);
    call.start(metadata, listenerOf(listener));
    return {
      send: (message, taken) =>
        call.sendMessageWithContext(taken === undefined ? {} : { callback: taken }, message),
      halfClose: () => call.halfClose(),
      read: () => call.startRead(),
      cancel: () => call.cancelWithStatus(GrpcStatus.CANCELLED, 'Cancelled on client'),
    };
  }

  waitForReady(): Promise<void> {
    return Promise.resolve();
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
        // Otherwise a call without an answer would bring a null in its place.
        responseStream: true,
        // For messages that are not plainly of protobuf-es.
        requestSerialize: (message: Message) => wireCodec(method.input).encode(message),
        responseDeserialize: (bytes: Buffer) => wireCodec(method.output).decode(bytes),
      };
      this.#definitions.set(method, definition);
    }
    return definition;
  }
}

function listenerOf(listener: TransportListener): Parameters<InterceptingCall['start']>[1] {
  return {
    onReceiveMetadata: (headers: Metadata) => listener.onHeaders(headers),
    onReceiveMessage: (message: Message) => listener.onMessage(message),
    onReceiveStatus: (status: StatusObject) => {
      const fromServer = status.code === GrpcStatus.OK || isServerStatus(status, true);
      listener.onEnd({ status, fromServer });
    },
  };
}

const noChannel: NextCall = () => {
  throw new Error('grpc: an in-process server passed a call on');
};
