import { stageInterceptor } from '@apix/calls/grpc';
import type { ServerInterceptor } from '@grpc/grpc-js';
import type { Authorizer } from '../decide/authorizer.js';
import { authzStage } from '../decide/authz-stage.js';

/**
 * Enforces the policies on a grpc-js server of your own, or on Nest's `Transport.GRPC` by
 * `options: { channelOptions: { interceptors: [authzInterceptor(authorizer)] } }`. Servers of
 * `@apix/grpc` do not need it: they find the stage by themselves.
 */
export function authzInterceptor(authorizer: Authorizer): ServerInterceptor {
  return stageInterceptor([authzStage(authorizer)], (name) =>
    authorizer.methods.callMethodOf(name),
  );
}
