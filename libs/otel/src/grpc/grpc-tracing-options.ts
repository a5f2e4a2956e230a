import type { CallMethod } from '@apix/contracts';
import { callable, type OptionTable, withDefault } from '@apix/contracts/internal';
import type { MeterProvider } from '@opentelemetry/api';
import { INCOMING, METER_PROVIDER } from '../tracing/option-kinds.js';
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

/** How gRPC calls are traced and measured where there is no `TracingModule`. */
export interface GrpcTracingInit extends GrpcTracingOptions {
  /** Receives the durations; its owner shuts it down. Default: the global one, as it is at this moment. */
  readonly meterProvider?: MeterProvider | undefined;
}

/** Services that ask how a server is, rather than for something. */
const OF_GRPC = /^grpc\.(?:health|reflection)\./;

const asksAfterServer = ({ service }: CallMethod): boolean => OF_GRPC.test(service);

/** The allowed values of the options for the tracing of gRPC calls. */
export const GRPC_TRACING_OPTIONS = {
  skip: withDefault(callable<(method: CallMethod) => boolean>(), asksAfterServer),
  incoming: withDefault(INCOMING, 'parent'),
} satisfies OptionTable<GrpcTracingOptions>;

export const GRPC_TRACING_INIT = {
  ...GRPC_TRACING_OPTIONS,
  meterProvider: METER_PROVIDER,
} satisfies OptionTable<GrpcTracingInit>;
