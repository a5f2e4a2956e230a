import { type BoundCallStage, CALL_STAGE, type CallMethod, type CallStage } from '@apix/contracts';
import type { Logger } from '../logger/logger.js';
import { BoundLogStage } from './bound-log-stage.js';
import type { GrpcLogOptions } from './grpc-options.js';

const HEALTH = 'grpc.health.v1.Health';

/** Gives each gRPC call its id, its logger and its one event; the first stage of the chain. */
export class LogStage implements CallStage {
  readonly [CALL_STAGE] = true as const;
  readonly name = 'log';
  readonly #skipsHealth: boolean;

  constructor(
    private readonly logger: Logger,
    private readonly options: GrpcLogOptions = {},
  ) {
    this.#skipsHealth = (options.skipProbes ?? false) !== false;
  }

  bind(method: CallMethod): BoundCallStage | null {
    if (this.#skipsHealth && method.service === HEALTH) return null;
    return new BoundLogStage(this.logger, method, this.options);
  }
}

/**
 * The call stage that logs gRPC calls, for `stageInterceptor` of `@apix/calls/grpc` where
 * there is no `LogxModule`.
 */
export function logStage(logger: Logger, options?: GrpcLogOptions): CallStage {
  return new LogStage(logger, options);
}
