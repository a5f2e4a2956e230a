import type { IncomingMessage } from 'node:http';
import { Code, type Mistakes, shownValue } from '@apix/contracts';
import { authorityOf } from '@apix/contracts/internal';
import { quotedInput, refusal } from '../errors.js';

/**
 * Which web pages may do what browsers let a page of any origin do. `same`: pages of the very origin
 * that they send to; a list: these origins alone, of which `same` may be one.
 */
export type AllowedOrigins = 'same' | 'any' | readonly string[] | ((origin: string) => boolean);

/** Records the mistakes in an option that lists the allowed web pages. */
export function checkOrigins(where: string, allowed: unknown, mistakes: Mistakes): void {
  if (allowed === 'same' || allowed === 'any' || typeof allowed === 'function') return;
  if (!Array.isArray(allowed)) {
    const given = shownValue(allowed);
    mistakes.add(where, `must be "same", "any", a list of origins or a function, not ${given}`);
    return;
  }
  for (const origin of allowed as readonly unknown[]) {
    // As browsers send it: a slash at the end, for example, would never match.
    if (origin === 'same' || isOrigin(origin)) continue;
    mistakes.add(where, `${shownValue(origin)} is not an origin such as "https://example.com"`);
  }
}

function isOrigin(text: unknown): boolean {
  // The value that browsers send for pages without an origin, such as local files.
  if (text === 'null') return true;
  if (typeof text !== 'string' || !URL.canParse(text)) return false;
  const { protocol, host } = new URL(text);
  return text === `${protocol}//${host}` && host !== '';
}

/**
 * Refuses a request of a web page that may not send it. A request without these headers is not from a
 * browser, which always sends them.
 *
 * @param messageFor the message of the refusal, of whose pages they are.
 * @throws HttpRefusal, 403.
 */
export function assertOrigin(
  req: IncomingMessage,
  allowed: AllowedOrigins,
  messageFor: (whose: string) => string,
): void {
  if (allowed === 'any' || isAllowed(req, allowed)) return;
  const { origin } = req.headers;
  const whose = origin === undefined ? 'another site' : quotedInput(origin);
  throw refusal(Code.PERMISSION_DENIED, messageFor(whose));
}

function isAllowed(req: IncomingMessage, allowed: Exclude<AllowedOrigins, 'any'>): boolean {
  const { origin } = req.headers;
  if (allowed === 'same' || origin === undefined) return isOwn(req);
  // A promise, of an async function, is not a yes.
  if (typeof allowed === 'function') return (allowed(origin) as unknown) === true;
  return allowed.includes(origin) || (allowed.includes('same') && isOwn(req));
}

/** Whether a request was not sent by a page of another origin, according to the browser's headers. */
function isOwn(req: IncomingMessage): boolean {
  const { origin, 'sec-fetch-site': site } = req.headers;
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  if (origin === undefined) return true;
  return URL.canParse(origin) && new URL(origin).host === authorityOf(req).toLowerCase();
}
