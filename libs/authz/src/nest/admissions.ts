import type { ExecutionContext } from '@nestjs/common';
import { grpcArguments } from '@apix/calls/internal-nest';
import { stagedCallOf } from '@apix/contracts';
import type { HandlerAdmission as Admission } from '../decide/admission.js';
import { admissionOf } from '../decide/authz-stage.js';
import { requestHead } from '../request/request.js';
import { graphqlArguments } from './graphql-caller.js';

/** Under which the guard leaves who was admitted: on the request, metadata or message context. */
const ADMITTED = Symbol.for('apix.authz.Admitted');

/**
 * One request can reach several handlers (`next()`, several `@EventPattern` of one pattern), each with its
 * own policy: an admission is valid only for the handler that it was given for.
 */
interface Left {
  readonly admission: Admission;
  readonly controller: unknown;
  readonly handler: unknown;
}

type Carrier = object & { [ADMITTED]?: Left };

/** By the list of arguments, which the guards of one call share; handlers get a copy of it. */
const guarded = new WeakMap<readonly unknown[], Admission>();

/**
 * The decision of the call stage, or of this guard if it is also bound to a controller, about this call;
 * undefined if neither has decided. A promise while it is being decided for another field of a GraphQL
 * operation.
 */
export function decisionIn(context: ExecutionContext): Admission | Promise<Admission> | undefined {
  const isOperation = context.getType<string>() === 'graphql';
  return (isOperation ? operationDecision(context) : undefined) ?? ofThisCall(context);
}

/** Leaves a decision under way for the other fields of a GraphQL operation. */
export function leavePending(context: ExecutionContext, decision: Promise<Admission>): void {
  if (context.getType<string>() !== 'graphql') return;
  // Each field that asks awaits it; if none does, a refusal must not end the process.
  decision.catch(() => {});
  leaveOperationDecision(context, decision);
}

/** Leaves a refusal for the other fields of a GraphQL operation. */
export function leaveRefusal(context: ExecutionContext, error: unknown): void {
  if (context.getType<string>() !== 'graphql') return;
  leavePending(context, Promise.reject(error));
}

/** Leaves who was admitted where {@link admissionIn} finds it. */
export function leaveAdmission(context: ExecutionContext, admission: Admission): void {
  const type = context.getType<string>();
  if (type === 'graphql') leaveOperationDecision(context, admission);
  if (type === 'ws') leaveSocketAdmission(context, admission);
  const carrier = carrierOf(context);
  if (carrier === undefined) {
    guarded.set(context.getArgs(), admission);
    return;
  }
  carrier[ADMITTED] = {
    admission,
    controller: context.getClass(),
    handler: context.getHandler(),
  };
}

/**
 * The subject admitted to this context's handler, by the call stage or by the guard; undefined if neither
 * has decided yet.
 */
export function admissionIn(context: ExecutionContext): Admission | undefined {
  switch (context.getType<string>()) {
    case 'graphql': {
      const decided = operationDecision(context);
      return decided instanceof Promise ? undefined : decided;
    }
    case 'ws':
      return socketAdmission(context);
    default:
      return ofThisCall(context);
  }
}

function ofThisCall(context: ExecutionContext): Admission | undefined {
  const carrier = carrierOf(context);
  if (carrier === undefined) return guarded.get(context.getArgs());
  const staged = context.getType() === 'rpc' ? admissionOf(stagedCallOf(carrier)) : undefined;
  if (staged !== undefined) return staged;
  const left = carrier[ADMITTED];
  const same = left?.controller === context.getClass() && left.handler === context.getHandler();
  return same ? left.admission : undefined;
}

/** Undefined if a call has no own object, or one that cannot be written to. */
function carrierOf(context: ExecutionContext): Carrier | undefined {
  const type = context.getType();
  if (type === 'http') {
    const request: unknown = context.getArgByIndex(0);
    return requestHead(request) === undefined ? undefined : carrier(request);
  }
  if (type !== 'rpc') return undefined;
  const grpc = grpcArguments(context.getArgs());
  return grpc === undefined ? carrier(context.getArgByIndex(1)) : grpc.call.metadata;
}

function carrier(value: unknown): Carrier | undefined {
  const isFit = typeof value === 'object' && value !== null && Object.isExtensible(value);
  return isFit ? value : undefined;
}

interface OperationDecisions {
  readonly shared: unknown;
  readonly decided: HandlerAdmissions<Admission | Promise<Admission>>;
}

const operations = new WeakMap<object, OperationDecisions>();

/**
 * The decisions, made or under way, about the resolvers of one execution of an operation. A list of a
 * thousand objects asks for each of their fields a thousand times; the caller is the same.
 */
// Why: docs/decisions/0223
function operationDecision(context: ExecutionContext): Admission | Promise<Admission> | undefined {
  return operationOf(context)?.decided.get(context);
}

/** Leaves a decision where {@link operationDecision} finds it. */
function leaveOperationDecision(
  context: ExecutionContext,
  decision: Admission | Promise<Admission>,
): void {
  operationOf(context)?.decided.set(context, decision);
}

function operationOf(context: ExecutionContext): OperationDecisions | undefined {
  const { shared, execution } = graphqlArguments(context);
  if (execution === undefined) return undefined;
  let operation = operations.get(execution);
  if (operation === undefined || operation.shared !== shared) {
    operation = { shared, decided: new HandlerAdmissions() };
    operations.set(execution, operation);
  }
  return operation;
}

interface Client {
  readonly messages: WeakMap<object, HandlerAdmissions<Admission>>;
  readonly latest: HandlerAdmissions<Admission>;
}

const clients = new WeakMap<object, Client>();

/** Leaves who sent a message where {@link socketAdmission} finds it. */
export function leaveSocketAdmission(context: ExecutionContext, admission: Admission): void {
  const socket: unknown = context.getArgByIndex(0);
  if (!isObject(socket)) return;
  let client = clients.get(socket);
  if (client === undefined) {
    client = { messages: new WeakMap(), latest: new HandlerAdmissions() };
    clients.set(socket, client);
  }
  client.latest.set(context, admission);
  const message = messageOf(context);
  if (message === undefined) return;
  const admissions = client.messages.get(message) ?? new HandlerAdmissions();
  admissions.set(context, admission);
  client.messages.set(message, admissions);
}

/**
 * The sender of a handler's message. A text or a number has no identity: it counts as sent by the sender of
 * the handler's latest message on this connection, whose handshake is the same.
 */
export function socketAdmission(context: ExecutionContext): Admission | undefined {
  const socket: unknown = context.getArgByIndex(0);
  const client = isObject(socket) ? clients.get(socket) : undefined;
  if (client === undefined) return undefined;
  const message = messageOf(context);
  const exact = message === undefined ? undefined : client.messages.get(message)?.get(context);
  return exact ?? client.latest.get(context);
}

/** The object that only this message has: the function that acknowledges it, or its content. */
function messageOf(context: ExecutionContext): object | undefined {
  const [, data, acknowledge]: readonly unknown[] = context.getArgs();
  return [acknowledge, data].find(isObject);
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

/** Decisions by handler: one request can reach several handlers, each with its own policy. */
class HandlerAdmissions<T> {
  readonly #byHandler = new Map<unknown, { controller: unknown; decided: T }[]>();

  get(context: ExecutionContext): T | undefined {
    const controller = context.getClass();
    return this.#byHandler.get(context.getHandler())?.find((each) => each.controller === controller)
      ?.decided;
  }

  set(context: ExecutionContext, decided: T): void {
    const controller = context.getClass();
    const handler = context.getHandler();
    const others = this.#byHandler.get(handler)?.filter((each) => each.controller !== controller);
    this.#byHandler.set(handler, [...(others ?? []), { controller, decided }]);
  }
}
