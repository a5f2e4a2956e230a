import type { ExecutionContext } from '@nestjs/common';
import type { Admission } from '../decide/authorizer.js';
import { HandlerAdmissions } from './handler-admissions.js';

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
