/** The longest that SPIFFE allows. */
const MAX_LENGTH = 2_048;
const ID = /^spiffe:\/\/([a-z0-9._-]{1,255})((?:\/[A-Za-z0-9._-]+)+)$/;

/**
 * Whether a URI is the SPIFFE ID of a workload (SPIFFE-ID 2.1 to 2.4, X509-SVID 4.1): a trust
 * domain in lower case, and a path without empty, `.` or `..` segments. Anything that URIs have
 * besides, such as ports, queries and percent signs, is not allowed.
 */
export function isSpiffeId(uri: string): boolean {
  const path = uri.length <= MAX_LENGTH ? ID.exec(uri)?.[2] : undefined;
  return path !== undefined && !path.split('/').some((segment) => /^\.\.?$/.test(segment));
}
