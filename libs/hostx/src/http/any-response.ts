import type { ServerResponse } from 'node:http';
import type { Http2ServerResponse } from 'node:http2';

/** A response of HTTP/1, or Node's compatible one of HTTP/2. */
export type AnyResponse = ServerResponse | Http2ServerResponse;
