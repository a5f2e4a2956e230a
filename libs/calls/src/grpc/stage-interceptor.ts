import type { ServerInterceptingCall, ServerInterceptor } from '@grpc/grpc-js';
import type { CallMethod, MethodKind, CallStage } from '@apix/contracts';
import { type BoundChain, bindStages, closedChain } from '../stages/bound-chain.js';
import { type StageOrder, stageOrder } from '../stages/stage-order.js';
import { StageChain } from './stage-chain.js';

/** The shape of a method as grpc-js knows it. */
interface ServedMethod {
  readonly path: string;
  readonly requestStream: boolean;
  readonly responseStream: boolean;
}

/**
 * The one grpc-js server interceptor that runs every call through the stages, in the order that they state.
 * Denials happen before a message is decoded; health, reflection and methods without a handler pass through
 * it too.
 *
 * @param methods what is known of a method; the name of an unknown method is taken from its path.
 * @param served methods to which the stages are bound at once. Others: at their first call. Default: none.
 * @throws StageOrderError for stages without an order, and for one that reads messages of `served` methods
 *   before `authz`. Such a stage closes every other method.
 */
export function stageInterceptor(
  stages: readonly CallStage[],
  methods: (fullName: string) => CallMethod | undefined,
  served: Iterable<CallMethod> = [],
): ServerInterceptor {
  const order = stageOrder(stages);
  const chains = new Map<string, BoundChain>();
  for (const method of served) chains.set(method.fullName, bindStages(order, method));
  return (definition, next) => {
    const { path } = definition;
    let chain = chains.get(path);
    if (chain === undefined) {
      const known = methods(path);
      chain = boundOrClosed(order, known ?? methodOfPath(definition));
      // A caller chooses the path, so only known ones may take up memory.
      if (known !== undefined) chains.set(path, chain);
    }
    // grpc-js types an interceptor's result by class, and uses only this interface of it.
    return new StageChain(chain, next) as unknown as ServerInterceptingCall;
  };
}

/** An error thrown here would end the process: grpc-js does not catch it. */
function boundOrClosed(order: StageOrder, method: CallMethod): BoundChain {
  try {
    return bindStages(order, method);
  } catch (error) {
    return closedChain(method, error);
  }
}

function methodOfPath({ path, requestStream, responseStream }: ServedMethod): CallMethod {
  const slash = path.lastIndexOf('/');
  return {
    fullName: path,
    service: path.slice(path.startsWith('/') ? 1 : 0, Math.max(slash, 0)),
    name: path.slice(slash + 1),
    kind: kindOf(requestStream, responseStream),
  };
}

function kindOf(requestStream: boolean, responseStream: boolean): MethodKind {
  if (requestStream) return responseStream ? 'bidi_stream' : 'client_stream';
  return responseStream ? 'server_stream' : 'unary';
}
