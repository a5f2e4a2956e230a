import { type Mistakes, shownValue } from '@apix/contracts';

const SIZES = ['256', '384', '512'];
const family = (name: string): readonly string[] => SIZES.map((size) => `${name}${size}`);

/** The signature algorithms of RSA keys. */
export const RSA_ALGORITHMS = [...family('PS'), ...family('RS')];

/** The signature algorithm of each elliptic curve, by the name that RFC 7518 gives the curve. */
export const CURVE_ALGORITHMS: Readonly<Record<string, string>> = {
  'P-256': 'ES256',
  'P-384': 'ES384',
  'P-521': 'ES512',
};

/** Both names of the signature algorithm of Ed25519 keys (RFC 8037, RFC 9864). */
export const ED25519_ALGORITHMS = ['EdDSA', 'Ed25519'];

/** The algorithms of secrets. */
export const SECRET_ALGORITHMS = family('HS');

/** The algorithms of keys whose JWK has the type AKP. */
export const AKP_ALGORITHMS = ['ML-DSA-44', 'ML-DSA-65', 'ML-DSA-87'];

/** The asymmetric algorithms that are accepted if an app names none. */
export const DEFAULT_ALGORITHMS: readonly string[] = [
  ...ED25519_ALGORITHMS,
  ...Object.values(CURVE_ALGORITHMS),
  ...RSA_ALGORITHMS,
];

/** Every algorithm of key pairs. */
export const PUBLIC_KEY_ALGORITHMS: readonly string[] = [...DEFAULT_ALGORITHMS, ...AKP_ALGORITHMS];

const KNOWN: readonly string[] = [...PUBLIC_KEY_ALGORITHMS, ...SECRET_ALGORITHMS];

/**
 * Records names of algorithms by which no token could be accepted, or any could.
 *
 * @returns the algorithms by which keys can be judged: all of them if no name is known.
 */
export function checkAlgorithms(names: readonly string[], mistakes: Mistakes): readonly string[] {
  for (const name of names) {
    if (name.toLowerCase() === 'none') {
      mistakes.add(
        'algorithms',
        'must not contain "none", which accepts tokens that no key signed',
      );
    } else if (name !== '' && !KNOWN.includes(name)) {
      const list = KNOWN.join(', ');
      mistakes.add('algorithms', `${shownValue(name)} is not a signature algorithm; use ${list}`);
    }
  }
  const known = names.filter((name) => KNOWN.includes(name));
  return known.length > 0 ? known : KNOWN;
}
