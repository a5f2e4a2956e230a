import { isIPv4 } from 'node:net';

const SCHEME = /^(dns|ipv4|ipv6|unix|unix-abstract|xds):(?:\/\/[^/]*\/)?/;

/**
 * The hosts that a target of grpc-js names, without ports and in lower case: `catalog` of
 * `dns:///catalog:50051`. A socket of this machine is `localhost`.
 */
export function hostsOf(target: string): readonly string[] {
  const [prefix = '', scheme] = SCHEME.exec(target) ?? [];
  if (scheme?.startsWith('unix') === true) return ['localhost'];
  const isList = scheme === 'ipv4' || scheme === 'ipv6';
  const rest = target.slice(prefix.length);
  return (isList ? rest.split(',') : [rest]).map((each) => hostOf(each).toLowerCase());
}

function hostOf(address: string): string {
  const bracketed = /^\[([^\]]*)\]/.exec(address);
  if (bracketed !== null) return bracketed[1]!;
  const colons = address.split(':');
  return colons.length === 2 ? colons[0]! : address;
}

/** Whether what is sent to a host does not leave this machine. */
export function isLocalHost(host: string): boolean {
  // A name may begin like an address of this machine: 127.0.0.1.example.com.
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}
