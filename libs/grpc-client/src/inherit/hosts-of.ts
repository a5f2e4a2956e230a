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
