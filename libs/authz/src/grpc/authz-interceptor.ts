import { stageInterceptor } from '@apix/calls/grpc';
import type { ServerInterceptor } from '@grpc/grpc-js';
import type { Authorizer } from '../decide/authorizer.js';

/**
 * Enforces the policies on a grpc-js server of your own, or on Nest's `Transport.GRPC` by
 * `options: { channelOptions: { interceptors: [authzInterceptor(authorizer)] } }`. Servers of
 * `@apix/grpc` need it not: they find the stage by themselves.
 */
export function authzInterceptor(authorizer: Authorizer): ServerInterceptor {
  return stageInterceptor([authorizer.stage()], (name) => authorizer.methodOf(name));
}
