import { thrownText } from '@apix/contracts';
import { fullMethodName, wireCodec } from '@apix/proto/core';
import type { DescMessage, DescMethod, DescService } from '@bufbuild/protobuf';
import type { MethodDefinition, ServiceDefinition } from '@grpc/grpc-js';
import { messageOf } from '@apix/grpc-client/internal';

/**
 * A service of the descriptors in the form of grpc-js, with codecs compiled from its types. Handlers get
 * messages and answer with messages, or with plain objects in a message's shape; nothing (`null`,
 * `undefined`) is the empty message. Other values cannot be sent: the call ends as INTERNAL.
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
  const codec = wireCodec(desc);
  const decode = (bytes: Buffer): unknown => codec.decode(bytes);
  return Object.assign(decode, { [TYPE]: desc });
}

function encoder(desc: DescMessage, failure: string): (value: unknown) => Buffer {
  const codec = wireCodec(desc);
  const encode = (value: unknown): Buffer => {
    try {
      return codec.encode(messageOf(desc, value));
    } catch (error) {
      throw new Error(`${failure}: ${thrownText(error)}`, { cause: error });
    }
  };
  return Object.assign(encode, { [TYPE]: desc });
}
