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

/** A name of a method with dots, or of all below a name: `shop.v1.Orders.Cancel`, `shop.v1.Orders.*`, `shop.v1.*`. */
export const METHOD_PATTERN = /^[A-Za-z_]\w*(?:\.\w+)*\.(?:\*|\w+)$/;

/** The name of a path of gRPC, `/shop.v1.Orders/Cancel`, as a {@link METHOD_PATTERN} has it; any other text as it is. */
export function withDots(given: string): string {
  return /^\/[^/]+\/[^/]+$/.test(given) ? given.slice(1).replace('/', '.') : given;
}

/** Whether a {@link METHOD_PATTERN} means a method, whose name is with dots. */
export function meansMethod(pattern: string, name: string): boolean {
  return pattern.endsWith('.*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}
