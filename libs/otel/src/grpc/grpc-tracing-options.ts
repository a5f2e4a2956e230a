import { type CallMethod, Mistakes, shownValue } from '@apix/contracts';
import { OtelError } from '../errors.js';
import type { IncomingTrace } from '../tracing/tracing.js';

/** Options for the tracing of gRPC calls. */
export interface GrpcTracingOptions {
  /**
   * Methods whose calls get no span and are not measured, in and out; asked once for each method. Default: those
   * of gRPC's own services for health and reflection.
   */
  readonly skip?: ((method: CallMethod) => boolean) | undefined;
  /**
   * Whether the trace in a caller's metadata is believed: `parent` continues it, `link` begins a new trace
   * that is linked to it, `ignore` begins a new one. With the last two the caller's baggage is not taken
   * over. Calls from this process continue with the trace of their caller in any case. Default: 'parent'.
   */
  readonly incoming?: IncomingTrace | undefined;
}

/** The same, filled in. */
export interface GrpcTracingSettings {
  readonly skip: (method: CallMethod) => boolean;
  readonly incoming: IncomingTrace;
}

const INCOMING: readonly IncomingTrace[] = ['parent', 'link', 'ignore'];

/** Services that ask how a server is, rather than for something. */
const OF_GRPC = /^grpc\.(?:health|reflection)\./;

const asksAfterServer = ({ service }: CallMethod): boolean => OF_GRPC.test(service);

/** Fills in defaults and records mistakes. @param where the option's name. */
export function readGrpcTracing(
  { skip = asksAfterServer, incoming = 'parent' }: GrpcTracingOptions,
  where: string,
  mistakes: Mistakes,
): GrpcTracingSettings {
  if (typeof skip !== 'function') {
    mistakes.add(`${where}skip`, `must be a function, not ${shownValue(skip)}`);
  }
  if (!INCOMING.includes(incoming)) {
    mistakes.add(
      `${where}incoming`,
      `must be 'parent', 'link' or 'ignore', not ${shownValue(incoming)}`,
    );
  }
  return { skip, incoming };
}

/** The options of tracing without a module. @throws OtelError with every wrong option. */
export function grpcTracingSettings(options: GrpcTracingOptions): GrpcTracingSettings {
  const mistakes = new Mistakes();
  const settings = readGrpcTracing(options, '', mistakes);
  mistakes.throwIfAny((found) => new OtelError(found));
  return settings;
}
