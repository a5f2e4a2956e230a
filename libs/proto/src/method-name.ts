import type { CallMethod, MethodKind } from '@apix/contracts';
import type { DescMethod } from '@bufbuild/protobuf';

const KIND: Readonly<Record<DescMethod['methodKind'], MethodKind>> = {
  unary: 'unary',
  server_streaming: 'server_stream',
  client_streaming: 'client_stream',
  bidi_streaming: 'bidi_stream',
};

/** Canonical full name of a method, `/<package>.<Service>/<Method>`, as in a gRPC path. */
export function fullMethodName(desc: DescMethod): string {
  return `/${desc.parent.typeName}/${desc.name}`;
}

/** A method in the form that call stages use. */
export function callMethodOf(desc: DescMethod): CallMethod {
  return {
    fullName: fullMethodName(desc),
    service: desc.parent.typeName,
    name: desc.name,
    kind: KIND[desc.methodKind],
  };
}
