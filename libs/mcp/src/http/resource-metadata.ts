import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendResponse } from '@apix/contracts/internal';
import type { ResolvedMcpOptions } from '../options.js';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** The document about the authorization servers of a resource (RFC 9728). */
export class ResourceMetadata {
  /** Those of the document. */
  readonly paths: ReadonlySet<string>;
  readonly #document: string;
  readonly #challenge: string;

  /** @param options undefined: there is no document. */
  constructor(options: ResolvedMcpOptions['authorization']) {
    const { resource = '', authorizationServers, scopes, documentation } = options ?? {};
    const { pathname, origin } = new URL(options === undefined ? 'http://x' : resource);
    const own = WELL_KNOWN + pathname.replace(/\/$/, '');
    this.paths = new Set(options === undefined ? [] : [WELL_KNOWN, own]);
    this.#document = JSON.stringify({
      resource,
      authorization_servers: authorizationServers,
      scopes_supported: scopes,
      bearer_methods_supported: ['header'],
      resource_documentation: documentation,
    });
    const scope = scopes === undefined ? '' : `, scope="${scopes.join(' ')}"`;
    this.#challenge =
      options === undefined ? 'Bearer' : `Bearer resource_metadata="${origin}${own}"${scope}`;
  }

  send({ method }: IncomingMessage, res: ServerResponse): void {
    if (method !== 'GET' && method !== 'HEAD') {
      sendResponse(res, 405, { allow: 'GET, HEAD' });
      return;
    }
    const headers = {
      'content-type': 'application/json',
      'cache-control': 'public, max-age=3600',
      // Public, and clients in browsers have to read it before anything else.
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
    };
    sendResponse(res, 200, headers, this.#document);
  }

  /** `WWW-Authenticate` of a 401. @param isGiven whether the caller has sent credentials. */
  challenge(isGiven: boolean): string {
    if (!isGiven) return this.#challenge;
    const more = this.#challenge === 'Bearer' ? ' ' : ', ';
    return `${this.#challenge}${more}error="invalid_token"`;
  }
}
