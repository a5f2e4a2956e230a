import { ATTRIBUTE_NAMES } from './attribute-names.js';
import { alternativeText, attributeText } from './certificate-text.js';
import { type DerValue, derContent, derValues, oidText } from './der.js';

/** What a certificate states about its holder, read from its DER. */
export interface CertificateNames {
  /** Values of subject attributes by name, in their order. */
  readonly subject: Readonly<Record<string, readonly string[]>>;
  /** `DNS:…`, `URI:…`, `email:…` and `IP Address:…`. */
  readonly subjectAltNames: readonly string[];
  /** Attributes, and kinds of alternative names, with a value that cannot be trusted. */
  readonly malformed: readonly string[];
  /** Whether it may sign certificates or lists of revoked ones. */
  readonly canIssue: boolean;
}

const SEQUENCE = 0x30;
const SET = 0x31;
const OID = 0x06;
const OCTET_STRING = 0x04;
const VERSION = 0xa0;
const EXTENSIONS = 0xa3;

const ALT_NAMES = '2.5.29.17';
const KEY_USAGE = '2.5.29.15';
const BASIC_CONSTRAINTS = '2.5.29.19';
/** keyCertSign and cRLSign (RFC 5280, section 4.2.1.3). */
const ISSUING = 0x06;

/** Tags of GeneralName (RFC 5280, section 4.2.1.6) that are read; others are left out. */
const ALT_KINDS: Readonly<Record<number, string>> = { 0x81: 'email', 0x82: 'DNS', 0x86: 'URI' };
const ALT_IP = 0x87;

/**
 * Reads what Node gives as text in which values and separators can be confused.
 *
 * @throws RangeError for bytes that are not the DER of a certificate, and for two extensions of
 * one kind, which RFC 5280 forbids.
 */
export function certificateNames(der: Uint8Array): CertificateNames {
  const [body] = derValues(derContent(der, SEQUENCE));
  const fields = derValues(body!.content);
  const first = fields[0]?.tag === VERSION ? 1 : 0;
  const extensions = extensionsOf(fields.find(({ tag }) => tag === EXTENSIONS));
  const malformed = new Set<string>();
  return {
    // After the serial number, the algorithm, the issuer and the validity.
    subject: attributesOf(fields[first + 4]!, malformed),
    subjectAltNames: altNamesOf(extensions.get(ALT_NAMES), malformed),
    malformed: [...malformed],
    canIssue: isAuthority(extensions.get(BASIC_CONSTRAINTS)) || signs(extensions.get(KEY_USAGE)),
  };
}

function attributesOf(name: DerValue, malformed: Set<string>): Record<string, readonly string[]> {
  if (name.tag !== SEQUENCE) throw new RangeError('the certificate has no subject');
  const found = new Map<string, string[]>();
  for (const { tag, content } of derValues(name.content)) {
    if (tag !== SET) throw new RangeError('the certificate has a malformed subject');
    for (const attribute of derValues(content)) {
      const [type, value] = derValues(attribute.content);
      const oid = oidText(type!.content);
      const key = ATTRIBUTE_NAMES[oid] ?? oid;
      const text = attributeText(value!);
      if (text === undefined) malformed.add(key);
      else found.set(key, [...(found.get(key) ?? []), text]);
    }
  }
  return Object.fromEntries([...found].filter(([key]) => !malformed.has(key)));
}

function altNamesOf(extension: Uint8Array | undefined, malformed: Set<string>): string[] {
  if (extension === undefined) return [];
  const names: (readonly [string, string])[] = [];
  for (const { tag, content } of derValues(derContent(extension, SEQUENCE))) {
    const kind = tag === ALT_IP ? 'IP Address' : ALT_KINDS[tag];
    if (kind === undefined) continue;
    const text = tag === ALT_IP ? addressText(content) : alternativeText(content);
    if (text === undefined) malformed.add(kind);
    else names.push([kind, text]);
  }
  return names.filter(([kind]) => !malformed.has(kind)).map(([kind, text]) => `${kind}:${text}`);
}

/** As OpenSSL writes it; undefined for a value of neither 4 nor 16 bytes. */
function addressText(bytes: Uint8Array): string | undefined {
  if (bytes.length === 4) return bytes.join('.');
  if (bytes.length !== 16) return undefined;
  const groups = Buffer.from(bytes).toString('hex').toUpperCase().match(/.{4}/g) ?? [];
  return groups.map((group) => group.replace(/^0{1,3}/, '')).join(':');
}

function extensionsOf(field: DerValue | undefined): ReadonlyMap<string, Uint8Array> {
  const extensions = new Map<string, Uint8Array>();
  if (field === undefined) return extensions;
  for (const { content } of derValues(derContent(field.content, SEQUENCE))) {
    const parts = derValues(content);
    const [id, value] = [parts[0], parts.at(-1)];
    if (id?.tag !== OID || value?.tag !== OCTET_STRING) {
      throw new RangeError('the certificate has a malformed extension');
    }
    const oid = oidText(id.content);
    if (extensions.has(oid)) throw new RangeError(`the certificate has two extensions ${oid}`);
    extensions.set(oid, value.content);
  }
  return extensions;
}

function isAuthority(basicConstraints: Uint8Array | undefined): boolean {
  if (basicConstraints === undefined) return false;
  const [isCa] = derValues(derContent(basicConstraints, SEQUENCE));
  return isCa?.tag === 0x01 && isCa.content[0] !== 0;
}

function signs(keyUsage: Uint8Array | undefined): boolean {
  // A BIT STRING begins with the number of its unused bits.
  return keyUsage !== undefined && ((derContent(keyUsage, 0x03)[1] ?? 0) & ISSUING) !== 0;
}
