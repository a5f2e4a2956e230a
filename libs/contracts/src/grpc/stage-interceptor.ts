import type { ServerInterceptingCall, ServerInterceptor } from '@grpc/grpc-js';
import type { CallMethod, MethodKind } from '../seams/call-context.js';
import type { CallStage } from '../seams/call-stage.js';
import { type BoundChain, bindStages } from './bound-chain.js';
import { StageChain } from './stage-chain.js';

/** The shape of a method as grpc-js knows it. */
interface ServedMethod {
  readonly path: string;
  readonly requestStream: boolean;
  readonly responseStream: boolean;
}

/**
 * The one grpc-js server interceptor that runs every call through the stages. Denials happen
 * before a message is decoded; health, reflection and methods without a handler pass through it
 * too. A stage is bound to a method at the method's first call, or earlier: see `methods`.
 *
 * @param methods what is known of a method; one that is not known is split from its path.
 */
export function stageInterceptor(
  stages: readonly CallStage[],
  methods: (fullName: string) => CallMethod | undefined,
): ServerInterceptor {
  const chains = new Map<string, BoundChain>();
  return (served, next) => {
    const { path } = served;
    let chain = chains.get(path);
    if (chain === undefined) {
      const known = methods(path);
      chain = bindStages(stages, known ?? methodOfPath(served));
      // A caller chooses the path, so only known ones may take up memory.
      if (known !== undefined) chains.set(path, chain);
    }
    // grpc-js types an interceptor's result by class, and uses only this interface of it.
    return new StageChain(chain, next) as unknown as ServerInterceptingCall;
  };
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
