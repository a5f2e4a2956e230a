import { type HttpRequest, httpCall } from '../http-call.js';
import { ask, oneOf, usual } from '../knock.js';
import type { Attack } from '../row.js';

const COOKIE = { cookie: 'session=keeper' };
const EVIL = { origin: 'https://evil.example', ...COOKIE };
const CROSS = { 'sec-fetch-site': 'cross-site', ...EVIL };

/** What a page elsewhere can have a browser send without asking first. */
const SIMPLE: readonly HttpRequest[] = [
  { method: 'POST', path: '/api/v1/vault:seal', headers: CROSS },
  { method: 'POST', path: '/api/v1/vault:seal', headers: EVIL },
  {
    method: 'POST',
    path: '/api/v1/vault:seal',
    headers: { ...CROSS, 'sec-fetch-site': 'same-site' },
  },
  { method: 'DELETE', path: '/api/v1/vault/a', headers: CROSS },
  { method: 'POST', path: '/api/v1/vault', headers: { ...CROSS, 'content-length': 0 } },
  {
    method: 'POST',
    path: '/api/v1/vault',
    headers: { ...CROSS, 'content-length': 0, 'content-type': 'application/x-www-form-urlencoded' },
  },
  {
    method: 'POST',
    path: '/api/v1/vault',
    body: 'text=a',
    headers: { ...EVIL, 'content-type': 'application/x-www-form-urlencoded' },
  },
  { method: 'POST', path: '/api/v1/vault', body: '{"text":"a"}', headers: CROSS },
  {
    method: 'POST',
    path: '/api/v1/vault',
    body: '{"text":"a"}',
    headers: { ...CROSS, 'content-type': 'text/plain' },
  },
];

/** Requests of a foreign page with the cookie of a keeper. */
export const crossSite: Attack = async (site, door) => {
  const answers: string[] = [];
  for (const request of SIMPLE) {
    const { status } = await httpCall(site.portOf(door), request);
    answers.push(
      status === 403 || status === 415 ? 'refused' : `${status} to ${described(request)}`,
    );
  }
  return oneOf(answers);
};

/** A body that does not say what it is, from whoever. */
export const untypedBody: Attack = (site, door) => {
  const { headers, ...request } = usual(door, 'porch');
  const { 'content-type': _, ...others } = { ...headers };
  return ask(site, door, { ...request, headers: others });
};

/** The app's own page, and what is not a browser. */
export const sameSite: Attack = async (site, door) => {
  const own = { ...COOKIE, 'sec-fetch-site': 'same-origin' };
  const path = '/api/v1/vault:seal';
  return oneOf([
    await ask(site, door, { method: 'POST', path, headers: own }),
    await ask(site, door, { method: 'POST', path, headers: COOKIE }),
  ]);
};

function described({ method, path, headers = {}, body = '' }: HttpRequest): string {
  const type = String(headers['content-type'] ?? 'no type');
  return `${method} ${path} (${type}, ${body.length} bytes, ${String(headers['sec-fetch-site'] ?? 'Origin alone')})`;
}
