import { stageInterceptor } from '@apix/calls/grpc';
import type { CallMethod } from '@apix/contracts';
import type { ServerInterceptor } from '@grpc/grpc-js';
import type { Logger } from '../logger/logger.js';
import type { GrpcLogOptions } from './grpc-options.js';
import { LogStage } from './log-stage.js';

/**
 * Logs the calls of your own grpc-js server, or of Nest's `Transport.GRPC` by
 * `options: { channelOptions: { interceptors: [logInterceptor(logger)] } }`. Servers of `@apix/grpc` do not
 * need it: they find the stage of `LogxModule` automatically.
 *
 * @param methods what is known of a method by its full name, so that it is prepared once and not for each
 *   call. Default: none.
 */
export function logInterceptor(
  logger: Logger,
  options?: GrpcLogOptions,
  methods: (fullName: string) => CallMethod | undefined = () => undefined,
): ServerInterceptor {
  return stageInterceptor([new LogStage(logger, options)], methods);
}
