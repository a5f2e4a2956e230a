/** Keys of attributes: those of OpenTelemetry's semantic conventions for HTTP, and a few of our own. */
export const HTTP_KEYS = {
  method: 'http.request.method',
  methodOriginal: 'http.request.method_original',
  status: 'http.response.status_code',
  route: 'http.route',
  path: 'url.path',
  query: 'url.query',
  scheme: 'url.scheme',
  serverAddress: 'server.address',
  serverPort: 'server.port',
  clientAddress: 'client.address',
  userAgent: 'user_agent.original',
  protocolVersion: 'network.protocol.version',
  errorType: 'error.type',
  /** The prefix of attributes of request headers. */
  requestHeader: 'http.request.header.',
  /** The prefix of attributes of response headers. */
  responseHeader: 'http.response.header.',
  /** The id that the request was given, which its log events have too. */
  requestId: 'apix.request.id',
  /** The side that ended an answer before it was complete: `caller` or `server`. */
  endedBy: 'apix.http.ended',
} as const;
