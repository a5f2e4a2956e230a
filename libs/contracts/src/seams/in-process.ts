/** Offered by grpc; used by the gateway to call a server of the same process without a socket. */
export const IN_PROCESS_SERVER = Symbol.for('apix.InProcessServer');

/**
 * A gRPC server that can be called in the same process. Calls run the same stages and handlers
 * as calls from the network.
 */
export interface InProcessServer {
  readonly [IN_PROCESS_SERVER]: true;
  /** Whether it serves a method, by full name. */
  serves(fullMethodName: string): boolean;
  /**
   * A grpc-js client `Interceptor` that answers calls without touching the channel. `unknown`,
   * because this package does not depend on grpc-js.
   *
   * @param forwarded whether calls speak for somebody else, as a gateway's do.
   */
  clientInterceptor(options: { readonly forwarded: boolean }): unknown;
}
