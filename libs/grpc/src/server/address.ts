/** `host:port`; IPv6 addresses in brackets. */
export function addressOf(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The same for a client on this machine, also of a server that listens at every address. */
export function localAddressOf(host: string, port: number): string {
  const everywhere: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
  return addressOf(everywhere[host] ?? host, port);
}
