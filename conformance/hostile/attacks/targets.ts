import { ask, asked, oneOf } from '../knock.js';
import type { Attack } from '../row.js';

const paths = (door: string): { readonly open: string; readonly closed: string } =>
  door === 'HTTP controller'
    ? { open: '/desk/open/a', closed: '/desk/a' }
    : { open: '/api/v1/porch/a', closed: '/api/v1/vault/a' };

/** `GET http://host/path`, which every server has to take (RFC 9112, section 3.2.2). */
export const absoluteTarget: Attack = async (site, door) => {
  const { open, closed } = paths(door);
  const at = (path: string) => ask(site, door, { path: `http://x.example${path}` });
  return `${await at(open)}; anonymous ${await at(closed)}`;
};

/** What lies below the mount path and is not there must still be readable by the app's pages. */
export const unknownPath: Attack = async (site, door) => {
  const headers = { origin: 'https://app.example' };
  const results: string[] = [];
  for (const path of ['/api/nope', '/api', '/api/v1/nope?x=1']) {
    const { answer } = await asked(site, door, { path, headers });
    results.push(
      `${answer.status} CORS ${answer.headers['access-control-allow-origin'] ?? 'none'}`,
    );
  }
  return oneOf(results);
};

/** A POST stays one, whatever else it says. */
export const methodOverride: Attack = async (site, door) => {
  const results: string[] = [];
  const overrides = [
    { 'x-http-method-override': 'DELETE' },
    { 'x-http-method': 'DELETE' },
    { 'x-method-override': 'DELETE' },
  ];
  for (const headers of overrides) {
    results.push(await ask(site, door, { method: 'POST', path: '/api/v1/vault/a', headers }));
  }
  results.push(await ask(site, door, { method: 'POST', path: '/api/v1/vault/a?_method=DELETE' }));
  return oneOf(results);
};
