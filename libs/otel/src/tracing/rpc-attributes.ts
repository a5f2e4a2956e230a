/** Attributes of calls, as the semantic conventions for gRPC have them. */
export const RPC_SYSTEM_NAME = 'rpc.system.name';
export const RPC_METHOD = 'rpc.method';
export const RPC_STATUS_CODE = 'rpc.status_code';

/** The value of {@link RPC_SYSTEM_NAME}. */
export const GRPC_SYSTEM = 'grpc';

/** How often a call was made again before the attempt that counted; the conventions have no name for it. */
export const RESEND_COUNT = 'apix.rpc.resend_count';
