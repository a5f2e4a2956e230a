import { type Observable, of, throwError } from 'rxjs';
import type { Answer } from './answer.js';
import type { GrpcArguments } from './grpc-arguments.js';
import { type GrpcError, grpcError } from './grpc-error.js';

/**
 * Answers an error in a gRPC call or a message that no filter of the app has answered. Undefined:
 * Nest is to answer it, and to write it to its log.
 */
export function answerMessage(
  { error, ours, expected, status }: Answer,
  grpc: GrpcArguments | undefined,
  exception: unknown,
  isLogged: boolean,
): Observable<unknown> | undefined {
  if (grpc !== undefined) return endGrpc(grpc, grpcError(error, grpc.call.metadata, status));
  if (ours !== undefined) {
    return throwError(() => ({ status: 'error', code: error.status, message: error.message }));
  }
  if (expected || (!isLogged && isReadable(exception))) return undefined;
  return throwError(() => ({ status: 'error', message: 'Internal server error' }));
}

/** Nest asks of what class an error is, which throws where it is a revoked proxy. */
function isReadable(exception: unknown): boolean {
  try {
    Reflect.getPrototypeOf(Object(exception) as object);
    return true;
  } catch {
    return false;
  }
}

function endGrpc({ end }: GrpcArguments, status: GrpcError): Observable<unknown> {
  if (end === undefined) return throwError(() => status);
  end(status);
  // Nest awaits a value of whatever a stream call returns.
  return of(undefined);
}
