import { thrownText } from '@apix/contracts';
import { fullMethodName } from '@apix/proto/core';
import {
  type DescMessage,
  type DescMethod,
  type DescService,
  fromBinary,
  toBinary,
} from '@bufbuild/protobuf';
import type { MethodDefinition, ServiceDefinition } from '@grpc/grpc-js';
import { messageOf } from './message-of.js';

/**
 * A service of the descriptors as grpc-js wants it, with the codecs of protobuf-es. Handlers get
 * messages and answer with messages, or with plain objects in a message's shape; nothing (`null`,
 * `undefined`) is the empty message. What is neither cannot be sent: the call ends as INTERNAL.
 */
export function serviceDefinition(service: DescService): ServiceDefinition {
  return Object.fromEntries(
    service.methods.map((method) => [method.name, methodDefinition(method)]),
  );
}

/** The type of the messages that a function of a {@link serviceDefinition} writes or reads. */
export function typeOfCodec(codec: object): DescMessage | undefined {
  return (codec as TypedCodec)[TYPE];
}

const TYPE = Symbol('apix.grpc.TypeOfCodec');

interface TypedCodec {
  readonly [TYPE]?: DescMessage;
}

function methodDefinition(method: DescMethod): MethodDefinition<unknown, unknown> {
  const { input, output, methodKind } = method;
  const path = fullMethodName(method);
  return {
    path,
    requestStream: methodKind === 'client_streaming' || methodKind === 'bidi_streaming',
    responseStream: methodKind === 'server_streaming' || methodKind === 'bidi_streaming',
    requestSerialize: encoder(input, `grpc: the request of ${path} cannot be sent`),
    requestDeserialize: decoder(input),
    responseSerialize: encoder(output, `grpc: what the handler of ${path} returned cannot be sent`),
    responseDeserialize: decoder(output),
    originalName: method.localName,
  };
}

function decoder(desc: DescMessage): (bytes: Buffer) => unknown {
  // protobuf-es makes Buffers of the fields of a Buffer.
  const decode = ({ buffer, byteOffset, byteLength }: Buffer): unknown =>
    fromBinary(desc, new Uint8Array(buffer, byteOffset, byteLength));
  return Object.assign(decode, { [TYPE]: desc });
}

function encoder(desc: DescMessage, failure: string): (value: unknown) => Buffer {
  const encode = (value: unknown): Buffer => {
    try {
      const { buffer, byteOffset, byteLength } = toBinary(desc, messageOf(desc, value));
      return Buffer.from(buffer, byteOffset, byteLength);
    } catch (error) {
      throw new Error(`${failure}: ${thrownText(error)}`, { cause: error });
    }
  };
  return Object.assign(encode, { [TYPE]: desc });
}
