import type { IncomingMessage } from 'node:http';
import { authorityOf, isLoopback } from '@apix/contracts/internal';
import type { ResolvedMcpOptions } from '../options.js';
import { RpcCode, RpcError } from '../rpc/rpc-error.js';

/** Which hosts and web pages requests may name. */
export interface OriginRules {
  /** Undefined: as the connection says. */
  readonly hosts: ReadonlySet<string> | undefined;
  readonly origins: ReadonlySet<string> | undefined;
  /** The URL of the endpoint as clients know it. */
  readonly resource: URL | undefined;
  /** The host names of URLs that were read. */
  readonly known: Map<string, string | undefined>;
}

/** How many of them are kept: usually requests have one or two. */
const MOST_KNOWN = 64;

export function originRules(options: ResolvedMcpOptions): OriginRules {
  const { allowedHosts, allowedOrigins, authorization } = options;
  return {
    hosts: allowedHosts && new Set(allowedHosts),
    origins: allowedOrigins && new Set(allowedOrigins),
    resource: authorization && new URL(authorization.resource),
    known: new Map(),
  };
}

/**
 * Refuses requests that a web page has made a browser send to this server under a name of the page's own (DNS rebinding),
 * and those of pages that were not allowed. Clients that are not browsers send no `Origin`.
 *
 * @throws RpcError, 403.
 */
// Why: docs/decisions/0536
export function assertOwnOrigin(req: IncomingMessage, rules: OriginRules): void {
  const isLocal = isLoopback(addressOf(req));
  const host = hostnameOf(`http://${authorityOf(req)}`, rules.known);
  if (!isHostAllowed(host, isLocal, rules)) {
    throw refused('this host is not served here; allowedHosts lists those that are');
  }
  const { origin } = req.headers;
  if (origin !== undefined && !isOriginAllowed(origin, isLocal, rules)) {
    throw refused(
      'pages of this origin may not send requests; allowedOrigins lists those that may',
    );
  }
}

function isHostAllowed(
  host: string | undefined,
  isLocal: boolean,
  { hosts, resource }: OriginRules,
): boolean {
  if (host === undefined) return false;
  if (hosts !== undefined) return hosts.has(host);
  return !isLocal || isOfThisMachine(host) || host === resource?.hostname;
}

function isOriginAllowed(
  origin: string,
  isLocal: boolean,
  { origins, resource, known }: OriginRules,
): boolean {
  if (origins !== undefined) return origins.has(origin);
  if (origin === resource?.origin) return true;
  const host = hostnameOf(origin, known);
  return isLocal && host !== undefined && isOfThisMachine(host);
}

/** Of this end of the connection: a page can reach it only through this machine. */
function addressOf({ socket }: IncomingMessage): string {
  const { localAddress = '' } = socket;
  return localAddress.replace(/^::ffff:/, '');
}

function hostnameOf(url: string, known: OriginRules['known']): string | undefined {
  if (known.has(url)) return known.get(url);
  const host = URL.canParse(url) ? new URL(url).hostname : undefined;
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(url, host);
  return host;
}

function isOfThisMachine(host: string): boolean {
  return isLoopback(host.replace(/^\[(.*)\]$/, '$1'));
}

function refused(message: string): RpcError {
  return new RpcError(RpcCode.REFUSED, message, { status: 403 });
}
