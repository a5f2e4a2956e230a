import { grpcArguments } from '@apix/calls/nest';
import type { CallContext, CallMethod } from '@apix/contracts';
import type { ExecutionContext } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { GrpcGuardCall } from './grpc-guard-call.js';
import { handlerNameOf } from './handler-policies.js';
import { HttpCall } from './http-call.js';
import { MessageCall } from './message-call.js';
import type { Handler } from './policy-metadata.js';

/** A call as the guard meets it. */
export type GuardedCall =
  | { readonly kind: 'grpc'; readonly call: CallContext }
  | { readonly kind: 'handler'; readonly call: CallContext }
  /** Of a kind that nothing is known of, such as WebSocket. */
  | { readonly kind: 'unknown'; readonly call: CallContext; readonly type: string };

interface Raw<T> {
  /** Fastify's request and reply carry Node's own here. */
  readonly raw?: T;
}

/** Tells by the context which door a call came through. */
export function guardedCall(
  context: ExecutionContext,
  methodOf: (fullName: string) => CallMethod | undefined,
): GuardedCall {
  const type = context.getType<string>();
  if (type === 'http') {
    const http = context.switchToHttp();
    const request = http.getRequest<IncomingMessage & Raw<IncomingMessage>>();
    const response = http.getResponse<ServerResponse & Raw<ServerResponse>>();
    const call = new HttpCall(
      handlerMethod(context),
      request.raw ?? request,
      response.raw ?? response,
      request.headers,
    );
    return { kind: 'handler', call };
  }
  if (type !== 'rpc') {
    return { kind: 'unknown', type, call: new MessageCall(handlerMethod(context), undefined) };
  }
  const grpc = grpcArguments(context.getArgs());
  if (grpc !== undefined) {
    return { kind: 'grpc', call: new GrpcGuardCall(grpc.call, methodOf) };
  }
  return {
    kind: 'handler',
    call: new MessageCall(handlerMethod(context), context.getArgByIndex(1)),
  };
}

/** A handler that is no RPC, in an RPC's words. */
function handlerMethod(context: ExecutionContext): CallMethod {
  const controller = context.getClass();
  const { name } = context.getHandler() as Handler;
  return {
    fullName: handlerNameOf(controller, name),
    service: controller.name,
    name,
    kind: 'unary',
  };
}
