import type { DescService } from '@bufbuild/protobuf';

/** What Nest's gRPC decorators say of a handler. */
interface HandlerPattern {
  readonly service: string;
  readonly rpc: string;
}

/** What the controllers serve, held against the descriptors. */
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
  const served = new Map<DescService, Set<string>>();
  const mistakes: string[] = [];
  for (const { service, rpc } of [...patterns].map(readPattern)) {
    const named = all.filter(({ typeName, name }) => typeName === service || name === service);
    const [found] = named;
    if (found === undefined) {
      mistakes.push(`a handler serves ${service}/${rpc}, but the descriptors have no ${service}`);
    } else if (named.length > 1) {
      const names = named.map(({ typeName }) => typeName).join(' and ');
      mistakes.push(`a handler serves ${service}/${rpc}, which may be ${names}: name it in full`);
    } else if (!found.methods.some(({ name }) => name === rpc)) {
      const known = found.methods.map(({ name }) => name).join(', ');
      mistakes.push(`a handler serves ${service}/${rpc}, but ${found.typeName} has only ${known}`);
    } else {
      served.set(found, (served.get(found) ?? new Set()).add(rpc));
    }
  }
  const unimplemented = [...served].flatMap(([{ typeName, methods }, rpcs]) =>
    methods.filter(({ name }) => !rpcs.has(name)).map(({ name }) => `${typeName}/${name}`),
  );
  return { services: [...served.keys()], unimplemented, mistakes };
}

function readPattern(pattern: string): HandlerPattern {
  const { service, rpc } = JSON.parse(pattern) as Partial<HandlerPattern>;
  return { service: service ?? '', rpc: rpc ?? '' };
}
