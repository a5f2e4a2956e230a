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

/** Names of subject attributes, as OpenSSL and Node have them; others go by their dotted number. */
const ATTRIBUTE_NAMES: Readonly<Record<string, string>> = {
  '2.5.4.3': 'CN',
  '2.5.4.4': 'SN',
  '2.5.4.5': 'serialNumber',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.9': 'street',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
  '2.5.4.12': 'title',
  '2.5.4.13': 'description',
  '2.5.4.15': 'businessCategory',
  '2.5.4.17': 'postalCode',
  '2.5.4.41': 'name',
  '2.5.4.42': 'GN',
  '2.5.4.43': 'initials',
  '2.5.4.44': 'generationQualifier',
  '2.5.4.45': 'x500UniqueIdentifier',
  '2.5.4.46': 'dnQualifier',
  '2.5.4.65': 'pseudonym',
  '2.5.4.72': 'role',
  '2.5.4.97': 'organizationIdentifier',
  '0.9.2342.19200300.100.1.1': 'UID',
  '0.9.2342.19200300.100.1.25': 'DC',
  '1.2.840.113549.1.9.1': 'emailAddress',
  '1.2.840.113549.1.9.2': 'unstructuredName',
};

const UTF8_STRING = 0x0c;
const PRINTABLE_STRING = 0x13;
const IA5_STRING = 0x16;

/** A line end or NUL in a name is there to be read as the end of it. */
const CONTROLS = /[\p{Cc}\u2028\u2029]/u;
const ASCII = /^[ -~]*$/;
/** As in a URI, a host name or a mailbox. */
const VISIBLE_ASCII = /^[!-~]+$/;

/**
 * The text of a name's attribute; undefined where it is empty, has control characters, or is in an
 * encoding that readers understand differently, such as TeletexString.
 */
function attributeText({ tag, content }: DerValue): string | undefined {
  const text = decoded(tag, content);
  return text === undefined || text === '' || CONTROLS.test(text) ? undefined : text;
}

/** The text of an alternative name; undefined unless it is visible ASCII, as RFC 5280 has it. */
function alternativeText(content: Uint8Array): string | undefined {
  const text = Buffer.from(content).toString('latin1');
  return VISIBLE_ASCII.test(text) ? text : undefined;
}

function decoded(tag: number, content: Uint8Array): string | undefined {
  if (tag === PRINTABLE_STRING || tag === IA5_STRING) {
    const text = Buffer.from(content).toString('latin1');
    return ASCII.test(text) ? text : undefined;
  }
  if (tag !== UTF8_STRING) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    return undefined;
  }
}
