import { isLoopback } from '@apix/contracts';

/** Whether a URL goes over a network without TLS; addresses of this machine do not. */
export function isPlainHttp({ protocol, hostname }: URL): boolean {
  // Names below localhost are this machine's too (RFC 6761, section 6.3).
  const isOwn = isLoopback(hostname.replace(/^\[|\]$/g, '')) || hostname.endsWith('.localhost');
  return protocol === 'http:' && !isOwn;
}

/** Warns of keys that anyone on the network path could replace. */
export function warnOfPlainHttp(source: unknown): void {
  if (typeof source !== 'string' && !(source instanceof URL)) return;
  const url = new URL(source);
  if (!isPlainHttp(url)) return;
  process.emitWarning(
    `authz: the keys that sign tokens come from ${url.origin} without TLS, so that anyone on the ` +
      'network can replace them; use https',
    { code: 'APIX_KEYS_WITHOUT_TLS' },
  );
}
