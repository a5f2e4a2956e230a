/** The template of the event of an HTTP request. */
export const HTTP_TEMPLATE = '{Method} {Path} -> {Status}';

/** The template of the event of a gRPC call. */
export const GRPC_TEMPLATE = 'gRPC {Method} -> {Code}';

/** What an event is the own event of, for formats that have fields for it; its template may be any. */
export type EventKind = 'http' | 'grpc';
