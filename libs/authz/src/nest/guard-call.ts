import type { ServerResponse } from 'node:http';
import { grpcArguments } from '@apix/calls/internal-nest';
import type { CallContext, CallMethod, CallDoor, CallMetadata, CallPeer } from '@apix/contracts';
import type { ExecutionContext } from '@nestjs/common';
import { HttpCall } from '../request/http-call.js';
import { requestHead } from '../request/request.js';
import { HandshakeCall } from './handshake-call.js';
import { graphqlArguments, graphqlCaller } from './graphql-caller.js';
import { GrpcGuardCall } from './grpc-guard-call.js';
import { handlerNameOf } from './handler-policies.js';
import { MessageCall } from './message-call.js';
import type { Handler } from './policy-metadata.js';
import { socketCaller } from './socket-caller.js';

/** A call in the guard. */
type GuardedCall =
  | { readonly kind: 'grpc'; readonly call: CallContext }
  | { readonly kind: 'handler'; readonly call: CallContext }
  /** A call whose caller cannot be determined, and why. */
  | { readonly kind: 'unreadable'; readonly call: CallContext; readonly why: string };

/** Determines from the context which door a call came through. */
export function guardedCall(
  context: ExecutionContext,
  methodOf: (fullName: string) => CallMethod | undefined,
): GuardedCall {
  const type = context.getType<string>();
  switch (type) {
    case 'http':
      return httpCall(context) ?? unreadable(context, `calls of type "${type}"`);
    case 'rpc':
      return rpcCall(context, methodOf);
    case 'ws': {
      const caller = socketCaller(context.getArgByIndex(0));
      const call = new HandshakeCall('websocket', handlerMethod(context), caller);
      return { kind: 'handler', call };
    }
    case 'graphql':
      return graphqlCall(context);
    default:
      return unreadable(context, `calls of type "${type}"`);
  }
}

/** Undefined: Nest says "http" of what other libraries call through its ExternalContextCreator, too. */
function httpCall(context: ExecutionContext): GuardedCall | undefined {
  const http = context.switchToHttp();
  const head = requestHead(http.getRequest());
  const response = http.getResponse<(ServerResponse & { raw?: ServerResponse }) | undefined>();
  if (head === undefined || typeof response !== 'object' || response === null) return undefined;
  const { request, headers } = head;
  const call = new HttpCall(handlerMethod(context), request, response.raw ?? response, headers);
  return { kind: 'handler', call };
}

function rpcCall(
  context: ExecutionContext,
  methodOf: (fullName: string) => CallMethod | undefined,
): GuardedCall {
  const grpc = grpcArguments(context.getArgs());
  return grpc === undefined
    ? { kind: 'handler', call: new MessageCall(handlerMethod(context), context.getArgByIndex(1)) }
    : { kind: 'grpc', call: new GrpcGuardCall(grpc.call, methodOf) };
}

function graphqlCall(context: ExecutionContext): GuardedCall {
  const caller = graphqlCaller(graphqlArguments(context).shared);
  return caller === 'mixed'
    ? unreadable(context, 'operations whose context belongs to several requests')
    : { kind: 'handler', call: new HandshakeCall('graphql', handlerMethod(context), caller) };
}

function unreadable(context: ExecutionContext, what: string): GuardedCall {
  const door = context.getType<string>() === 'graphql' ? 'graphql' : 'other';
  const call = new UnreadableCall(door, handlerMethod(context));
  return { kind: 'unreadable', call, why: `${what} cannot be authorized` };
}

/** A handler that is not an RPC, described like one. */
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

/** A call of which only the handler is known. */
class UnreadableCall implements CallContext {
  readonly metadata: CallMetadata = { get: () => [], keys: () => [] };
  readonly peer: CallPeer = { address: '' };
  readonly signal: AbortSignal = new AbortController().signal;
  readonly forwarded = false;

  constructor(
    readonly door: CallDoor,
    readonly method: CallMethod,
  ) {}
}
