import { type BoundCallStage, CALL_STAGE, type CallMethod, type CallStage } from '@apix/contracts';
import type { Logger } from '../logger/logger.js';
import { resolved } from '../request/door-options.js';
import { LeftOutRequests } from '../request/left-out-requests.js';
import { RequestSampler } from '../request/request-sampler.js';
import { BoundLogStage, HEALTH_SERVICE } from './bound-log-stage.js';
import { type GrpcLogOptions, type GrpcLogSettings, readGrpcOptions } from './grpc-options.js';

/** Gives each gRPC call its id, its logger and its one event; the first stage of the chain. */
export class LogStage implements CallStage {
  readonly [CALL_STAGE] = true as const;
  readonly name = 'log';
  readonly #settings: GrpcLogSettings;
  readonly #sampler: RequestSampler;

  /** @throws OptionsError with every wrong option. */
  constructor(
    private readonly logger: Logger,
    options?: GrpcLogOptions,
    leftOut = new LeftOutRequests(),
  ) {
    this.#settings = resolved((mistakes) => readGrpcOptions(options, '', mistakes));
    this.#sampler = new RequestSampler('grpc', this.#settings.sample, leftOut);
  }

  bind(method: CallMethod): BoundCallStage | null {
    if (this.#settings.rules.probes === 'off' && method.service === HEALTH_SERVICE) return null;
    return new BoundLogStage(this.logger, method, this.#settings, this.#sampler);
  }
}

/**
 * The call stage that logs gRPC calls, for `stageInterceptor` of `@apix/calls/grpc` without a `LogxModule`.
 *
 * @throws OptionsError with every wrong option.
 */
export function logStage(logger: Logger, options?: GrpcLogOptions): CallStage {
  return new LogStage(logger, options);
}
