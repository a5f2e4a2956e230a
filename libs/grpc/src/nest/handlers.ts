import type { DescMethod, DescService } from '@bufbuild/protobuf';

/** The metadata that Nest's gRPC decorators set on a handler. */
interface HandlerPattern {
  readonly service: string;
  readonly rpc: string;
  /** `no_stream`, `rx_stream` or `pt_stream`. */
  readonly streaming: string;
}

/** The methods that the controllers serve, compared with the descriptors. */
export interface ServedServices {
  /** Services with at least one handler. */
  readonly services: readonly DescService[];
  /** Their methods without a handler, as `pkg.Service/Method`. */
  readonly unimplemented: readonly string[];
  /** Handlers that fit no method, in words. */
  readonly mistakes: readonly string[];
}

/**
 * Finds out which services have handlers. A handler names its service in full, or without the
 * package where that is clear.
 *
 * @param patterns Nest's handler keys, JSON of service, rpc and streaming.
 */
export function servedServices(
  all: readonly DescService[],
  patterns: Iterable<string>,
): ServedServices {
  const served = new Map<DescService, Set<DescMethod>>();
  const mistakes: string[] = [];
  for (const pattern of [...patterns].flatMap(readPattern)) {
    const found = findMethod(all, pattern);
    if (typeof found === 'string') {
      mistakes.push(`a handler serves ${pattern.service}/${pattern.rpc}, ${found}`);
      continue;
    }
    const methods = served.get(found.parent) ?? new Set();
    if (methods.has(found)) {
      mistakes.push(`${found.parent.typeName}/${found.name} has several handlers: keep one`);
    }
    served.set(found.parent, methods.add(found));
  }
  const unimplemented = [...served].flatMap(([{ typeName, methods }, handled]) =>
    methods.filter((method) => !handled.has(method)).map(({ name }) => `${typeName}/${name}`),
  );
  return { services: [...served.keys()], unimplemented, mistakes };
}

/** Handlers that read their call themselves, as mistakes where messages are to be objects of proto-loader. */
export function streamCallsOf(patterns: Iterable<string>): readonly string[] {
  return [...patterns]
    .flatMap(readPattern)
    .filter(({ streaming }) => streaming === 'pt_stream')
    .map(
      ({ service, rpc }) =>
        `${service}/${rpc} has a handler of @GrpcStreamCall, which the option loader does not support: use @GrpcStreamMethod`,
    );
}

/** The method that a handler is for, or the mistake in the handler. */
function findMethod(
  all: readonly DescService[],
  { service, rpc, streaming }: HandlerPattern,
): DescMethod | string {
  const named = all.filter(({ typeName, name }) => typeName === service || name === service);
  const [found] = named;
  if (found === undefined) return `but the descriptors have no ${service}`;
  if (named.length > 1) {
    const names = named.map(({ typeName }) => typeName).join(' and ');
    return `which may be ${names}: name it in full`;
  }
  const method = found.methods.find(({ name }) => name === rpc);
  if (method === undefined) {
    return `but ${found.typeName} has only ${found.methods.map(({ name }) => name).join(', ')}`;
  }
  const { methodKind } = method;
  const streams = methodKind === 'client_streaming' || methodKind === 'bidi_streaming';
  if (streams === (streaming !== 'no_stream')) return method;
  return streams
    ? 'whose requests are a stream: use @GrpcStreamMethod or @GrpcStreamCall'
    : 'whose request is a single message: use @GrpcMethod';
}

/**
 * The pattern that a gRPC decorator has written into a handler's key; undefined for any other key. Nest
 * registers handlers that name no transport with every server of the app, and they are for another
 * transport.
 */
function readPattern(key: string): HandlerPattern[] {
  const pattern = objectIn(key);
  return isHandlerPattern(pattern) ? [pattern] : [];
}

function objectIn(key: string): object {
  try {
    return Object(JSON.parse(key)) as object;
  } catch {
    return {};
  }
}

function isHandlerPattern(pattern: Partial<HandlerPattern>): pattern is HandlerPattern {
  const { service, rpc, streaming } = pattern;
  return [service, rpc, streaming].every((part) => typeof part === 'string');
}
