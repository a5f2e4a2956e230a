/** Attributes of requests that are sent, as the stable semantic conventions for HTTP have them. */
export const REQUEST_METHOD = 'http.request.method';
export const RESPONSE_STATUS = 'http.response.status_code';
export const FULL_URL = 'url.full';
