/** Token of the module's options. */
export const GRPC_OPTIONS = Symbol.for('apix.grpc.Options');
