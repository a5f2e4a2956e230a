/** A handler on its way through Nest: of the request, metadata and call, or of the call itself. */
export type NestHandler = (...args: unknown[]) => Promise<unknown>;
