/** Token of the module's options. */
export const GRPC_OPTIONS = Symbol.for('apix.grpc.Options');

/** Token of the same options, checked and filled in. */
export const GRPC_SETTINGS = Symbol.for('apix.grpc.Settings');
