import { create, fromBinary } from '@bufbuild/protobuf';
import { Metadata, status as GrpcStatus } from '@grpc/grpc-js';
import type { CallTransport } from '../transport/call-transport.js';
import type { MessageOrWire, Call, CallEnd, CallListener } from '@apix/calls';
import { ReflectionError } from '../errors.js';
import type {
  ServerReflectionRequest,
  ServerReflectionResponse,
} from '../gen/grpc/reflection/v1/reflection_pb.js';
import type { REFLECTION_DESCRIPTORS } from './reflection-descriptors.js';

type Question = ServerReflectionRequest['messageRequest'];
type DialogueAnswer = ServerReflectionResponse['messageResponse'];

/** The server does not have the requested version of the reflection service. */
export class NotServed extends Error {
  override readonly name = 'NotServed';
}

/**
 * One stream of server reflection, of either version, whose messages have the same shape. One question at a
 * time: an unrequested answer stays unread in the socket.
 */
export class ReflectionStream implements CallListener {
  readonly #target: string;
  readonly #type: (typeof REFLECTION_DESCRIPTORS)[number]['method']['serverReflectionInfo'];
  readonly #call: Call;
  #waiting: Settle<DialogueAnswer> | undefined;
  #end: Error | undefined;

  /** @param deadline in milliseconds since the epoch. */
  constructor(
    transport: CallTransport,
    service: (typeof REFLECTION_DESCRIPTORS)[number],
    deadline: number,
  ) {
    this.#target = transport.target;
    this.#type = service.method.serverReflectionInfo;
    const path = `/${service.typeName}/ServerReflectionInfo`;
    const head = { method: this.#type, path, metadata: new Metadata(), deadline };
    this.#call = transport.open(head, this);
  }

  /** @throws NotServed, or ReflectionError where the stream has ended. */
  ask(question: Question): Promise<DialogueAnswer> {
    if (this.#end !== undefined) return Promise.reject(this.#end);
    const request = create(this.#type.input, { messageRequest: question });
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#call.send(request);
      this.#call.read();
    });
  }

  close(): void {
    this.#call.cancel();
  }

  onHeaders(): void {}

  onMessage(message: MessageOrWire): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    try {
      const response =
        message instanceof Uint8Array ? fromBinary(this.#type.output, message) : message;
      waiting?.resolve((response as ServerReflectionResponse).messageResponse);
    } catch (cause) {
      const why = `the reflection service of ${this.#target} sent what is not a message of it`;
      waiting?.reject(new ReflectionError(why, { cause }));
      this.#call.cancel();
    }
  }

  onEnd({ status: { code, details } }: CallEnd): void {
    this.#end =
      code === GrpcStatus.UNIMPLEMENTED
        ? new NotServed(details)
        : new ReflectionError(
            `reflection of ${this.#target} ended with ${GrpcStatus[code] ?? code}: ${details}`,
          );
    this.#waiting?.reject(this.#end);
    this.#waiting = undefined;
  }
}

/** How a promise is settled. */
interface Settle<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
}
