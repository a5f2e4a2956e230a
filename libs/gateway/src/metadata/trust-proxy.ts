import { BlockList, isIP } from 'node:net';
import { shownValue } from '@apix/contracts';

/**
 * Which proxies' `X-Forwarded-For` is trusted: `false` none, a number that many hops in front of the
 * gateway, a list those addresses and networks (`10.0.0.0/8`, `::1`).
 */
export type TrustProxy = false | number | readonly string[];

/** Whether the machine at an address, so many hops away (0: the connection's peer), is trusted. */
export type TrustRule = (address: string, hops: number) => boolean;

/** @throws RangeError for a value that is not an address, network or hop count. */
export function trustRuleOf(trust: TrustProxy): TrustRule {
  if (trust === false) return () => false;
  if (typeof trust === 'number') {
    if (!Number.isSafeInteger(trust) || trust < 0) throw notARule(trust);
    return (_address, hops) => hops < trust;
  }
  if (!Array.isArray(trust)) throw notARule(trust);
  const list = new BlockList();
  for (const entry of trust as readonly unknown[]) addNetwork(list, entry);
  return (address) => {
    const family = isIP(address);
    return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4');
  };
}

function notARule(given: unknown): RangeError {
  return new RangeError(
    `must be false, a number of proxies or a list of addresses, not ${shownValue(given)}`,
  );
}

/** @throws RangeError for a value that is not an address or network. */
function addNetwork(list: BlockList, entry: unknown): void {
  const [, address = '', prefix] =
    /^([^/]*)(?:\/(\d{1,3}))?$/.exec(typeof entry === 'string' ? entry : '') ?? [];
  const family = isIP(address);
  const most = family === 6 ? 128 : 32;
  const bits = prefix === undefined ? most : Number(prefix);
  if (family === 0 || bits > most) {
    throw new RangeError(`${shownValue(entry)} is not an address or network`);
  }
  list.addSubnet(address, bits, family === 6 ? 'ipv6' : 'ipv4');
}
