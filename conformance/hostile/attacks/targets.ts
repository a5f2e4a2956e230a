import { ask, asked, oneOf, usual } from '../knock.js';
import type { HttpRequest } from '../http-call.js';
import type { Attack } from '../row.js';
import type { Door } from '../site.js';

const requests = (door: Door): readonly [open: HttpRequest, closed: HttpRequest] => {
  if (door === 'HTTP controller') return [{ path: '/desk/open/a' }, { path: '/desk/a' }];
  if (door.startsWith('REST')) return [{ path: '/api/v1/porch/a' }, { path: '/api/v1/vault/a' }];
  return [usual(door, 'porch'), usual(door, 'vault')];
};

/** `GET http://host/path`, which every server has to take (RFC 9112, section 3.2.2). */
export const absoluteTarget: Attack = async (site, door) => {
  const [open, closed] = requests(door);
  const at = (request: HttpRequest) =>
    ask(site, door, { ...request, path: `http://localhost${request.path}` });
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
