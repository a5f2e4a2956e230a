/** `host:port`; IPv6 addresses in brackets; the address of a Unix socket as it is. */
export function addressOf(host: string, port: number): string {
  if (unixPathOf(host) !== undefined) return host;
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The same for a client on this machine, also of a server that listens at every address. */
export function localAddressOf(host: string, port: number): string {
  const everywhere: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
  return addressOf(everywhere[host] ?? host, port);
}

/** The path of `unix:path` or `unix:///path`; undefined for an address of the network. */
export function unixPathOf(host: string): string | undefined {
  return /^unix:(?:\/\/(?=\/))?(.+)$/.exec(host)?.[1];
}
