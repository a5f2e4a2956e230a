/**
 * What CORS must allow so that web pages of other origins can call RPCs: `app.enableCors({ origin, ...RPC_CORS })`,
 * or the same with the middleware `cors`. Add the metadata that your clients send to `allowedHeaders`, and what they
 * read, with `trailer-` before trailers of Connect, to `exposedHeaders`.
 */
export const RPC_CORS = {
  methods: ['GET', 'POST'],
  allowedHeaders: [
    'Authorization',
    'Content-Type',
    'Connect-Protocol-Version',
    'Connect-Timeout-Ms',
    'Connect-Accept-Encoding',
    'Connect-Content-Encoding',
    'Grpc-Timeout',
    'X-Grpc-Web',
    'X-User-Agent',
    'X-Request-Id',
  ],
  exposedHeaders: [
    'Connect-Content-Encoding',
    'Grpc-Encoding',
    'Grpc-Status',
    'Grpc-Message',
    'Grpc-Status-Details-Bin',
    'X-Request-Id',
    'WWW-Authenticate',
  ],
  /** How long browsers may keep the answer, in seconds; they have limits of their own. */
  maxAge: 7_200,
};
