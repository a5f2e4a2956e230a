/** Attributes of calls, as the semantic conventions for gRPC have them. */
export const RPC_SYSTEM_NAME = 'rpc.system.name';
export const RPC_METHOD = 'rpc.method';
export const RPC_STATUS_CODE = 'rpc.status_code';
export const ERROR_TYPE = 'error.type';
export const SERVER_ADDRESS = 'server.address';
export const SERVER_PORT = 'server.port';
export const CLIENT_ADDRESS = 'client.address';
export const CLIENT_PORT = 'client.port';

/** The value of {@link RPC_SYSTEM_NAME}. */
export const GRPC_SYSTEM = 'grpc';

/** The id of the request that a call is a part of. */
export const REQUEST_ID = 'apix.request.id';
/** How often a call was made again before the attempt that counted; the conventions have no name for it. */
export const RESEND_COUNT = 'apix.rpc.resend_count';
