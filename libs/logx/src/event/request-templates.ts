/** The template of the event of an HTTP request. */
export const HTTP_TEMPLATE = '{Method} {Path} -> {Status}';

/** The template of the event of a gRPC call. */
export const GRPC_TEMPLATE = 'gRPC {Method} -> {Code}';
