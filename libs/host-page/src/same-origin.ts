import type { IncomingHttpHeaders } from 'node:http';

/** Whether a request comes from a page of this origin, or from no browser. */
export function isSentByPage(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const { origin, host } = headers;
  if (origin === undefined) return true;
  return host !== undefined && [`http://${host}`, `https://${host}`].includes(origin);
}
