import type { StatusError } from '@apix/contracts';
import type { ExecutionContext } from '@nestjs/common';

type WsExceptionClass = new (error: object) => Error;

let loading: Promise<WsExceptionClass | undefined> | undefined;

/**
 * The class that Nest recognises, of the copy that the app has; undefined where it is not to be
 * found. Loaded at the first refusal, which no app without gateways has.
 */
export function appsWsException(): Promise<WsExceptionClass | undefined> {
  loading ??= import('@nestjs/websockets').then(
    ({ WsException }) => WsException,
    () => undefined,
  );
  return loading;
}

/**
 * The exception that reports a refusal to the client of a WebSocket, in the form that Nest uses for its own
 * guards, with the code in addition. Undefined: the class for it is not installed.
 */
export async function wsExceptionOf(
  { status, message }: StatusError,
  context: ExecutionContext,
  load: () => Promise<WsExceptionClass | undefined> = appsWsException,
): Promise<Error | undefined> {
  const WsException = await load();
  if (WsException === undefined) return undefined;
  const socket = context.switchToWs();
  const cause = { pattern: socket.getPattern(), data: socket.getData<unknown>() };
  return new WsException({ status: 'error', code: status, message, cause });
}
