import { type Mistakes, shownValue } from '@apix/contracts';
import {
  isLoopback,
  anyValue,
  FLAG,
  isRecord,
  type OptionTable,
  readOptions,
  withDefault,
} from '@apix/contracts/internal';
import type { ClientStage, OutgoingCall } from '../stages/client-stage.js';

/** Where credentials of calls come from, and who may see them. */
export interface AuthorizationRule {
  /**
   * `'inherit'`: the `authorization` of the call under way, unchanged. A function: it returns the value for
   * a call, or undefined. If it throws, the call is not made and the caller gets the error. Required.
   */
  readonly from:
    'inherit' | ((call: OutgoingCall) => string | undefined | Promise<string | undefined>);
  /**
   * The hosts that may get them, as the endpoint names them, without ports; `in-process` for a server of
   * this process. A client of any other host does not start. Required.
   */
  readonly hosts: readonly string[];
  /** Whether they may go over a connection without TLS to another machine. Default: false. */
  readonly plaintext?: boolean | undefined;
}

const AUTHORIZATION_RULE = {
  from: anyValue(),
  hosts: anyValue(),
  plaintext: withDefault(FLAG, false),
} satisfies OptionTable<AuthorizationRule>;

/** The properties of a channel that matter for credentials. */
export interface AuthorizedChannel {
  readonly target: string;
  readonly isSecure: boolean;
}

/** Notes why a channel may not get the credentials of a rule. */
// Why: docs/decisions/0249
export function checkAuthorization(
  rule: AuthorizationRule,
  { target, isSecure }: AuthorizedChannel,
  mistakes: Mistakes,
): void {
  const { plaintext } = readOptions(AUTHORIZATION_RULE, rule, 'authorization', mistakes);
  if (!isRecord(rule)) return;
  const { from, hosts } = rule;
  if (from !== 'inherit' && typeof from !== 'function') {
    mistakes.add('authorization.from', `must be "inherit" or a function, not ${shownValue(from)}`);
  }
  if (!Array.isArray(hosts)) {
    mistakes.add('authorization.hosts', `must be an array of hosts, not ${shownValue(hosts)}`);
    return;
  }
  const allowed = hosts.map((host) => String(host).toLowerCase());
  for (const host of hostsOf(target)) {
    const name = shownValue(host);
    if (!allowed.includes(host)) {
      mistakes.add(
        'authorization.hosts',
        `does not have ${name}, where the calls go; add it if that host may see the credentials`,
      );
    } else if (!isSecure && !isLoopback(host) && !plaintext) {
      mistakes.add(
        'authorization',
        `the connection to ${name} has no TLS; use it, or set plaintext: true where something ` +
          'else protects it',
      );
    }
  }
}

/** Gives calls their credentials, unless they have some. */
export function authorizationStage({ from }: AuthorizationRule): ClientStage {
  const inherited = ({ parent }: OutgoingCall): string | undefined =>
    parent?.metadata.get('authorization')[0];
  const find = from === 'inherit' ? inherited : from;
  const put = (call: OutgoingCall, value: string | undefined): void => {
    if (value !== undefined) call.metadata.set('authorization', value);
  };
  return {
    name: 'authorization',
    bind: () => ({
      onCall(call) {
        if (call.metadata.get('authorization').length > 0) return undefined;
        const found = find(call);
        if (typeof found === 'string' || found === undefined) return put(call, found);
        return found.then((value) => put(call, value));
      },
    }),
  };
}

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
