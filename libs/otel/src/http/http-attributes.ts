/** Keys of OpenTelemetry's semantic conventions for HTTP. */
export const HTTP_REQUEST_METHOD = 'http.request.method';
export const HTTP_REQUEST_METHOD_ORIGINAL = 'http.request.method_original';
export const HTTP_RESPONSE_STATUS_CODE = 'http.response.status_code';
export const HTTP_ROUTE = 'http.route';
export const URL_PATH = 'url.path';
export const URL_QUERY = 'url.query';
export const URL_SCHEME = 'url.scheme';
export const SERVER_ADDRESS = 'server.address';
export const SERVER_PORT = 'server.port';
export const CLIENT_ADDRESS = 'client.address';
export const USER_AGENT_ORIGINAL = 'user_agent.original';
export const NETWORK_PROTOCOL_VERSION = 'network.protocol.version';
export const ERROR_TYPE = 'error.type';

/** The id that the request was given, which its log events have too. */
export const REQUEST_ID = 'apix.request.id';

/** Who ended an answer before it was complete: `caller` or `server`. */
export const ENDED_BY = 'apix.http.ended';

/** `http.request.header.<name>` */
export const REQUEST_HEADER = 'http.request.header.';

/** `http.response.header.<name>` */
export const RESPONSE_HEADER = 'http.response.header.';
