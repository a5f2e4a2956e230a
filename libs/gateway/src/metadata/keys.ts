import { shownValue } from '@apix/contracts';

/** Why a caller may not set a key; undefined where it may. */
export type KeyRule = (key: string) => 'reserved' | 'not taken' | undefined;

/**
 * Which keys callers may set by `Grpc-Metadata-<key>`.
 *
 * @param taken true: any key that is not reserved; false: none; or a list of keys.
 * @param forwarded lower-case names of the headers that are forwarded under their own name.
 * @throws RangeError for a listed key that is not one, or is reserved.
 */
export function keyRuleOf(
  taken: boolean | readonly string[],
  forwarded: Iterable<string>,
): KeyRule {
  const own = new Set([...forwarded].map(canonicalKey));
  const isReserved = (key: string): boolean => {
    const canonical = canonicalKey(key);
    const isOfOthers = isReservedName(canonical) || own.has(canonical);
    return isInternalKey(key) || isInternalKey(canonical) || isOfOthers;
  };
  if (typeof taken === 'boolean') {
    return remembering((key) => (isReserved(key) ? 'reserved' : taken ? undefined : 'not taken'));
  }
  // From JavaScript, or from a configuration file.
  if (!Array.isArray(taken) || taken.some((key) => typeof key !== 'string')) {
    const given = shownValue(taken);
    throw new RangeError(`must be true, false or a list of metadata keys, not ${given}`);
  }
  const keys = taken.map((key) => key.toLowerCase());
  const mistakes = keys.flatMap((key) => {
    if (!KEY.test(key)) return [`${JSON.stringify(key)} is not a metadata key`];
    return isReserved(key) ? [`${JSON.stringify(key)} is reserved and callers cannot set it`] : [];
  });
  if (mistakes.length > 0) throw new RangeError(mistakes.join('; '));
  const listed = new Set(keys);
  return remembering((key) =>
    isReserved(key) ? 'reserved' : listed.has(key) ? undefined : 'not taken',
  );
}

/** As many keys are remembered, which is more than browsers and proxies send; the longest of them, in characters. */
const REMEMBERED = { keys: 256, length: 64 };

/** The same rule, which looks at a key once: callers send the same ones again and again. */
function remembering(rule: KeyRule): KeyRule {
  const known = new Map<string, NonNullable<ReturnType<KeyRule>> | 'free'>();
  return (key) => {
    let verdict = known.get(key);
    if (verdict === undefined) {
      verdict = rule(key) ?? 'free';
      // What a caller has made up must not fill the memory, nor keep out what others send.
      if (known.size === REMEMBERED.keys) known.clear();
      if (key.length <= REMEMBERED.length) known.set(key, verdict);
    }
    return verdict === 'free' ? undefined : verdict;
  };
}

/** Headers that belong to one connection (RFC 9110 §7.6.1) or to the HTTP message itself. */
const MESSAGE_HEADERS = new Set(
  words(`
  connection content-encoding content-length content-type host http2-settings keep-alive
  proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade
  user-agent
`),
);

/** What gRPC takes as a key, in lower case. */
const KEY = /^[0-9a-z_.-]+$/;

/**
 * True for metadata that must not cross the gateway under a `Grpc-Metadata-` name, in either
 * direction: keys reserved by gRPC or by apix, pseudo-headers, and headers of the connection.
 */
export function isInternalKey(key: string): boolean {
  return (
    !KEY.test(key) ||
    key.startsWith('grpc-') ||
    key.startsWith('x-apix-') ||
    MESSAGE_HEADERS.has(key)
  );
}

/**
 * Metadata whose source is the gateway, the HTTP message or a proxy in front, by purpose. `*` matches any
 * rest. docs/gateway-metadata.md lists the same.
 */
export const RESERVED: Readonly<Record<string, readonly string[]>> = {
  'the gateway': words(`
    authorization x-request-id grpc-* x-apix-*
  `),
  'addresses and requests': words(`
    forwarded x-forwarded* x-real-* x-client-ip x-cluster-client-ip true-client-ip
    fastly-client-ip fly-client-ip x-azure-clientip x-azure-socketip cf-* x-original-*
    x-rewrite-url via x-host
  `),
  'browsers and sessions': words(`
    cookie cookie2 set-cookie set-cookie2 origin referer sec-* x-csrf-* x-xsrf-* x-session x-session-*
  `),
  'client certificates': words(`
    client-cert* x-client-cert* x-client-dn* x-client-verify* x-client-tls* x-client-subject*
    x-client-issuer* x-client-s-dn* x-client-i-dn* ssl-* x-ssl* x-tls-* x-mtls-* x-cert x-cert-* x-certificate* x-arr-*
    x-spiffe-* x-envoy-* x-amzn-mtls-* x-subject-dn x-dn
  `),
  // Why: docs/decisions/0031
  'users and their rights': words(`
    x-user* x-auth x-auth-* x-authn x-authn-* x-authz x-authz-* x-authorization* x-authenticated
    x-authenticated-* auth-* authentication authenticated-* remote-* x-remote-* x-webauth-* x-proxy-*
    proxy-* impersonate-* x-impersonate-* x-identity* x-principal* x-sso-* x-ldap-* x-subject x-sub
    x-upn x-email x-groups x-roles x-role x-scopes x-permissions x-scope-orgid
  `),
  'tokens and claims': words(`
    x-jwt x-jwt-* x-claims x-id-token x-access-token x-oidc x-oidc-* oidc-* x-oauth* x-saml x-saml-*
  `),
  products: words(`
    x-goog-authenticated-user-* x-goog-iap-* x-appengine-* x-endpoint-api-* x-apigateway-*
    x-amzn-oidc-* x-amzn-lattice-* x-ms-client-principal* x-ms-token-* x-consumer-* x-credential-*
    x-anonymous-consumer x-authentik-* x-authelia-* x-pomerium-* x-vouch-* tailscale-* teleport-*
    x-kratos-* x-hasura-* x-warpgate-* x-grafana-* x-azure-fdid x-amzn-request-context gap-auth
    dapr-* mellon-* shib-* x-shib-* sm-* iv-*
  `),
};

/** Headers of HTTP, and of protocols over it, that are no metadata of a call. */
const HTTP_HEADERS = new Set(
  words(`
  accept accept-charset accept-datetime accept-encoding accept-language accept-ranges age allow alt-used
  cache-control date dnt early-data expect from if-match if-modified-since if-none-match if-range
  if-unmodified-since max-forwards origin pragma priority range referer save-data upgrade-insecure-requests
  warning x-grpc-web x-http-method x-http-method-override x-method-override x-requested-with
`),
);

/** True for a header that belongs to HTTP, to Connect or to CORS, in either direction. */
export function isHttpName(name: string): boolean {
  const isOfProtocol = name.startsWith('connect-') || name.startsWith('trailer-');
  return HTTP_HEADERS.has(name) || isOfProtocol || name.startsWith('access-control-');
}

/** Names in a reserved family that say nothing about who the caller is; gRPC-Web clients send it. */
const FREE = new Set(['x-user-agent']);

const NAMES = new Set<string>();
const PREFIXES: string[] = [];
for (const pattern of Object.values(RESERVED).flat()) {
  if (pattern.endsWith('*')) PREFIXES.push(pattern.slice(0, -1));
  else NAMES.add(pattern);
}

/**
 * A key as a careless reader sees it: CGI-like servers treat `_` and `.` as `-`, and `-bin` describes the
 * encoding of a value, not its owner.
 */
function canonicalKey(key: string): string {
  return key
    .toLowerCase()
    .replaceAll(/[._]/g, '-')
    .replace(/(?:-bin)+$/, '');
}

/** True for a key, in its canonical form, that is not the caller's to set. */
function isReservedName(canonical: string): boolean {
  if (FREE.has(canonical)) return false;
  return NAMES.has(canonical) || PREFIXES.some((prefix) => canonical.startsWith(prefix));
}

/** The words of a text. */
export function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
