/** Token of the options of AuthzModule. */
export const AUTHZ_OPTIONS = Symbol.for('apix.authz.Options');

/** Token of the call stage, which gRPC servers of `@apix/grpc` find by its mark. */
export const AUTHZ_STAGE = Symbol.for('apix.authz.Stage');
