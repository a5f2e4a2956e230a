import { fullMethodName } from '@apix/proto/core';
import {
  type DescMessage,
  type DescMethod,
  type DescService,
  create,
  fromBinary,
  isMessage,
  toBinary,
} from '@bufbuild/protobuf';
import type { MethodDefinition, ServiceDefinition } from '@grpc/grpc-js';

/**
 * A service of the descriptors as grpc-js wants it, with the codecs of protobuf-es. Handlers get
 * messages and answer with messages, or with plain objects in a message's shape.
 */
export function serviceDefinition(service: DescService): ServiceDefinition {
  return Object.fromEntries(
    service.methods.map((method) => [method.name, methodDefinition(method)]),
  );
}

function methodDefinition(method: DescMethod): MethodDefinition<unknown, unknown> {
  const { input, output, methodKind } = method;
  return {
    path: fullMethodName(method),
    requestStream: methodKind === 'client_streaming' || methodKind === 'bidi_streaming',
    responseStream: methodKind === 'server_streaming' || methodKind === 'bidi_streaming',
    requestSerialize: encoder(input),
    requestDeserialize: decoder(input),
    responseSerialize: encoder(output),
    responseDeserialize: decoder(output),
    originalName: method.localName,
  };
}

function decoder(desc: DescMessage): (bytes: Buffer) => unknown {
  return (bytes) => fromBinary(desc, bytes);
}

function encoder(desc: DescMessage): (value: unknown) => Buffer {
  return (value) => {
    const message = isMessage(value, desc) ? value : create(desc, shapeOf(value));
    const { buffer, byteOffset, byteLength } = toBinary(desc, message);
    return Buffer.from(buffer, byteOffset, byteLength);
  };
}

function shapeOf(value: unknown): Record<string, unknown> {
  return (value ?? {}) as Record<string, unknown>;
}
