import { type HttpAnswer, httpCall } from '../http-call.js';
import type { Attack } from '../row.js';

const SAFE = {
  'content-security-policy': /default-src 'none'.*frame-ancestors 'none'/,
  'x-content-type-options': /^nosniff$/,
};

/** What a page is to answer to whoever has no credentials. */
const PAGES: Readonly<Record<string, { readonly status: number; readonly isPage?: true }>> = {
  '/host/': { status: 401 },
  '/host/stream': { status: 401 },
  '/host/host-page.js': { status: 401 },
  '/docs/': { status: 200, isPage: true },
  '/docs/strangers.json': { status: 200 },
  '/healthz': { status: 200 },
  '/readyz': { status: 200 },
  '/startupz': { status: 200 },
};

/** Another site's name for this host, as after DNS rebinding, and its name for itself. */
const EVIL = {
  host: 'evil.example',
  origin: 'https://evil.example',
  'x-forwarded-host': 'evil.example',
  'sec-fetch-site': 'cross-site',
};

/** Asks for each page as strangers do, and posts to it. */
export const pagesOfTheHost: Attack = async (site, door) => {
  const port = site.portOf(door);
  const problems: string[] = [];
  for (const [path, { status, isPage }] of Object.entries(PAGES)) {
    for (const headers of [{}, EVIL]) {
      const answer = await httpCall(port, { path, headers });
      if (answer.status !== status) problems.push(`${path} ${answer.status}`);
      if (isPage === true && !isSafe(answer)) problems.push(`${path} without its policy`);
      if (tellsOfEvil(answer)) problems.push(`${path} names the other host`);
    }
    const posted = await httpCall(port, { method: 'POST', path, headers: EVIL, body: 'a=b' });
    if (posted.status < 400) problems.push(`POST ${path} ${posted.status}`);
  }
  const keeper = await httpCall(port, {
    path: '/host/',
    headers: { authorization: 'Bearer keeper' },
  });
  if (keeper.status !== 200 || !isSafe(keeper)) problems.push(`the host page ${keeper.status}`);
  return problems.length === 0 ? 'as documented' : problems.join(', ');
};

function isSafe({ headers }: HttpAnswer): boolean {
  return Object.entries(SAFE).every(([name, value]) => value.test(String(headers[name])));
}

function tellsOfEvil({ headers, text }: HttpAnswer): boolean {
  return JSON.stringify(headers).includes('evil.example') || text.includes('evil.example');
}
