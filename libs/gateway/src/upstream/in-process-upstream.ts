import { isServerStatus } from '@apix/calls';
import {
  type AdmittedCall,
  type InProcessCallOptions,
  type InProcessMessageContext,
  type InProcessServer,
  READ_REQUEST,
  WHEN_WANTED,
  WRITE_ANSWER,
  type WriteAnswer,
} from '@apix/contracts';
import { wireCodec } from '@apix/proto/core';
import type { DescMessage, DescMethod, Message } from '@bufbuild/protobuf';
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
  AnswerListener,
  CallHead,
  Upstream,
  UpstreamCall,
  WrittenAnswer,
} from './upstream.js';

export interface InProcessUpstreamOptions {
  /** The largest response message, in bytes as on the wire; -1 for no limit. Default: 4 MiB. */
  readonly maxReceiveBytes?: number | undefined;
}

/**
 * Makes calls to a gRPC server of this process, such as the `GrpcServer` of `@apix/grpc`, without
 * a socket: through its interceptors, and with messages that are copied rather than encoded.
 */
export function inProcessUpstream(
  server: InProcessServer,
  options: InProcessUpstreamOptions = {},
): Upstream {
  return new InProcessUpstream(server, options);
}

class InProcessUpstream implements Upstream {
  readonly transport = 'in-process';
  readonly #open: Interceptor;
  readonly #definitions = new Map<DescMethod, InterceptorOptions['method_definition']>();

  constructor(server: InProcessServer, { maxReceiveBytes }: InProcessUpstreamOptions) {
    this.#open = server.clientInterceptor({
      forwarded: true,
      handOver: true,
      ...(maxReceiveBytes !== undefined && { maxReceiveBytes }),
    }) as Interceptor;
  }

  open({ method, fullName, metadata, timeoutMs, writeAnswer }: CallHead, listener: AnswerListener) {
    const options: InterceptorOptions & InProcessCallOptions = {
      method_definition: this.#definitionOf(method, fullName),
      deadline: timeoutMs === undefined ? Infinity : Date.now() + timeoutMs,
      [WRITE_ANSWER]: writeAnswer as WriteAnswer | undefined,
    };
    const carried = this.#open(options, noChannel) as InterceptingCall & AdmittedCall;
    const call = new InProcessCall(carried, method.input, listener);
    call.start(metadata);
    return call;
  }

  waitForReady(): Promise<void> {
    return Promise.resolve();
  }

  close(): void {
    // There is no connection.
  }

  #definitionOf(method: DescMethod, path: string): InterceptorOptions['method_definition'] {
    let definition = this.#definitions.get(method);
    if (definition === undefined) {
      const isUnary = method.methodKind === 'unary';
      definition = {
        path,
        requestStream: !isUnary,
        responseStream: !isUnary,
        // For messages that are not of protobuf-es alone.
        requestSerialize: (message: Message) => wireCodec(method.input).encode(message),
        responseDeserialize: (bytes: Buffer) => wireCodec(method.output).decode(bytes),
      };
      this.#definitions.set(method, definition);
    }
    return definition;
  }
}

type MessageContext = Parameters<InterceptingCall['sendMessageWithContext']>[0];
type GrpcListener = Required<NonNullable<Parameters<InterceptingCall['start']>[1]>>;

class InProcessCall implements UpstreamCall, GrpcListener {
  readonly #call: InterceptingCall & AdmittedCall;
  readonly #type: DescMessage;
  readonly #listener: AnswerListener;

  /** @param type of the requests. */
  constructor(call: InterceptingCall & AdmittedCall, type: DescMessage, listener: AnswerListener) {
    this.#call = call;
    this.#type = type;
    this.#listener = listener;
  }

  start(metadata: Metadata): void {
    this.#call.start(metadata, this);
  }

  whenWanted(run: () => void): void {
    this.#call[WHEN_WANTED](run);
  }

  send(message: Message, taken?: () => void, textBytes?: number): void {
    const context: MessageContext & InProcessMessageContext = {
      ...(taken !== undefined && { callback: taken }),
      ...(textBytes !== undefined && { [READ_REQUEST]: { type: this.#type, textBytes } }),
    };
    this.#call.sendMessageWithContext(context, message);
  }

  halfClose(): void {
    this.#call.halfClose();
  }

  read(): void {
    this.#call.startRead();
  }

  cancel(): void {
    this.#call.cancelWithStatus(GrpcStatus.CANCELLED, 'Cancelled on client');
  }

  onReceiveMetadata(metadata: Metadata): void {
    this.#listener.onHeaders(metadata);
  }

  /** null where a unary call had none. */
  onReceiveMessage(message: Message | WrittenAnswer | null): void {
    if (message !== null) this.#listener.onMessage(message);
  }

  onReceiveStatus(status: StatusObject): void {
    const fromServer = status.code === GrpcStatus.OK || isServerStatus(status, true);
    this.#listener.onEnd({ status, fromServer });
  }
}

const noChannel: NextCall = () => {
  throw new Error('gateway: an in-process server passed a call on');
};
