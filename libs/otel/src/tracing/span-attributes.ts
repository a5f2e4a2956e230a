/** Attributes that spans of every kind may have, as the semantic conventions name them. */
export const ERROR_TYPE = 'error.type';
export const SERVER_ADDRESS = 'server.address';
export const SERVER_PORT = 'server.port';
export const CLIENT_ADDRESS = 'client.address';
export const CLIENT_PORT = 'client.port';

/** The id of the request that work is a part of. */
export const REQUEST_ID = 'apix.request.id';
