/** Token of the options of GrpcModule. */
export const GRPC_OPTIONS = Symbol.for('apix.grpc.Options');

/** Token of the options of GrpcModule, checked and filled in. */
export const GRPC_SETTINGS = Symbol.for('apix.grpc.Settings');

/** Token of the options of ValidationModule. */
export const VALIDATION_OPTIONS = Symbol.for('apix.grpc.ValidationOptions');

/** Token of the call stage of ValidationModule, which the gRPC server finds by its mark. */
export const VALIDATION_STAGE = Symbol.for('apix.grpc.ValidationStage');

/** Token of the descriptors that GrpcModule serves. */
export const GRPC_PROTOS = Symbol.for('apix.grpc.Protos');

/** Token of the descriptors whose rules ValidationModule checks. */
export const VALIDATION_PROTOS = Symbol.for('apix.grpc.ValidationProtos');
