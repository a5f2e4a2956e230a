/** The template of the event of an HTTP request. */
export const HTTP_TEMPLATE = '{Method} {Path} -> {Status}';

/** The template of the event of a gRPC call. */
export const GRPC_TEMPLATE = 'gRPC {Method} -> {Code}';

/** The template of the event of a message. */
export const MESSAGE_TEMPLATE = 'message {Pattern} -> {Code}';

/** The kind of request that an event reports, for formats that have fields for it; any template is allowed. */
export type EventKind = 'http' | 'grpc';
