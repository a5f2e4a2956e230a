import { httpExceptionOf } from '@apix/calls/nest';
import { isStatusError, Code, type StatusError } from '@apix/contracts';
import type { ExecutionContext, HttpException } from '@nestjs/common';

/**
 * Refuses a call in the form that its caller understands. Messages and gRPC get the StatusError itself. All
 * others get the exception that the app's own guards would throw, because filters of the app that are bound
 * to a handler come before ours and do not know StatusError.
 *
 * @returns a promise of false if only Nest can create the answer.
 * @throws or rejects otherwise.
 */
export function refuseCaller(context: ExecutionContext, error: unknown): Promise<false> {
  const type = context.getType<string>();
  if (type === 'rpc' || !isStatusError(error)) throw error;
  if (type === 'graphql') throw graphqlExceptionOf(error);
  if (type !== 'ws') throw httpExceptionOf(error);
  return wsExceptionOf(error, context).then((exception) => {
    if (exception !== undefined) throw exception;
    return false;
  });
}

/** The codes that clients of Apollo know. */
const CODES: Readonly<Partial<Record<Code, string>>> = {
  [Code.UNAUTHENTICATED]: 'UNAUTHENTICATED',
  [Code.PERMISSION_DENIED]: 'FORBIDDEN',
};

/**
 * A refusal as an exception for resolvers: like that of Nest's own guards, with the `extensions` that
 * graphql-js copies from any error. Nest's driver for Apollo writes the same ones; other drivers write
 * none.
 */
function graphqlExceptionOf(error: StatusError): HttpException {
  const exception = httpExceptionOf(error);
  const code = CODES[error.code];
  const extensions =
    code === undefined
      ? { code: 'INTERNAL_SERVER_ERROR', status: exception.getStatus() }
      : { code };
  return Object.assign(exception, { extensions });
}

type WsExceptionClass = new (error: object) => Error;

let loading: Promise<WsExceptionClass | undefined> | undefined;

/**
 * The class that Nest recognises, of the copy that the app has; undefined where it is not to be
 * found. Loaded at the first refusal, which no app without gateways has.
 */
function appsWsException(): Promise<WsExceptionClass | undefined> {
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
