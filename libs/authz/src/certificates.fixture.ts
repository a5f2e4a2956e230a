import { type KeyObject, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** A certificate with its key, in PEM. */
export interface Identity {
  readonly cert: string;
  readonly key: string;
}

export interface Authority {
  readonly cert: string;
  /** For the server of `localhost`. */
  readonly server: Identity;
  /** A client's certificate with these names, `+` joins several in one: `'OU=a'`, `'OU=b+OU=c'`. */
  client(...names: readonly Name[]): Identity;
  /** As `client`, with alternative names and other extensions. */
  holder(names: readonly Name[], ...extensions: readonly Buffer[]): Identity;
  /** As `client`, valid from and to so many days from now. */
  clientOfDays(days: readonly [from: number, to: number], ...names: readonly Name[]): Identity;
}

/** A text in UTF-8, or an attribute's type with a string of any encoding. */
export type Name = string | readonly [type: string, tag: number, content: string];

/** X.509 (RFC 5280) in as much DER as a test needs: Node reads certificates and makes none. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Uint8Array.of(tag, ...size), content]);
}

const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts);
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));

const ATTRIBUTES: Readonly<Record<string, Buffer>> = {
  CN: oid('550403'),
  O: oid('55040a'),
  OU: oid('55040b'),
};
const ECDSA_SHA256 = sequence(oid('2a8648ce3d040302'));
const BASIC_CONSTRAINTS = oid('551d13');
const ALT_NAME = oid('551d11');
const EXTENDED_USE = oid('551d25');
const KEY_USAGE = oid('551d0f');
const SERVER_AUTH = oid('2b06010505070301');
const CLIENT_AUTH = oid('2b06010505070302');

const extension = (id: Buffer, value: Buffer): Buffer => sequence(id, der(0x04, value));

const KINDS = { email: 0x81, DNS: 0x82, dir: 0xa4, URI: 0x86, IP: 0x87 } as const;

/** A kind and its content in Latin-1. */
export type AltName = readonly [kind: keyof typeof KINDS, content: string];

export function altNames(...names: readonly AltName[]): Buffer {
  const values = names.map(([kind, content]) => der(KINDS[kind], Buffer.from(content, 'latin1')));
  return extension(ALT_NAME, sequence(...values));
}

/** That its holder may sign certificates, as an authority or by the use of its key. */
export const MAY_ISSUE: Readonly<Record<'authority' | 'key use', Buffer>> = {
  authority: extension(BASIC_CONSTRAINTS, sequence(der(0x01, Uint8Array.of(0xff)))),
  'key use': extension(KEY_USAGE, der(0x03, Uint8Array.of(1, 0x86))),
};

function attributeOf(type: string, tag: number, content: Buffer): Buffer {
  return sequence(ATTRIBUTES[type]!, der(tag, content));
}

function nameOf(names: readonly Name[]): Buffer {
  return sequence(
    ...names.map((name) => {
      if (typeof name !== 'string') {
        return der(0x31, attributeOf(name[0], name[1], Buffer.from(name[2], 'latin1')));
      }
      const attributes = name.split('+').map((one) => {
        const [type, value] = [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)];
        return attributeOf(type, 0x0c, Buffer.from(value));
      });
      return der(0x31, ...attributes.toSorted((a, b) => Buffer.compare(a, b)));
    }),
  );
}

function time(days: number): Buffer {
  const text = new Date(Date.now() + days * 86_400_000).toISOString().replaceAll(/[-:T]/g, '');
  return der(0x17, Buffer.from(`${text.slice(2, 14)}Z`));
}

function pem(label: string, bytes: Buffer): string {
  return `-----BEGIN ${label}-----\n${bytes.toString('base64')}\n-----END ${label}-----\n`;
}

interface Wanted {
  readonly subject: Buffer;
  readonly issuer: Buffer;
  readonly extensions: readonly Buffer[];
  /** Default: its own key. */
  readonly signer?: KeyObject;
  /** Days from now. Default: from one before to one after. */
  readonly days?: readonly [from: number, to: number];
}

function certify({ subject, issuer, extensions, signer, days: [from, to] = [-1, 1] }: Wanted) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const body = sequence(
    der(0xa0, der(0x02, Uint8Array.of(2))),
    der(0x02, Uint8Array.of(1), randomBytes(8)),
    ECDSA_SHA256,
    issuer,
    sequence(time(from), time(to)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  );
  const signature = sign('sha256', body, signer ?? privateKey);
  const certificate = sequence(body, ECDSA_SHA256, der(0x03, Uint8Array.of(0), signature));
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { cert: pem('CERTIFICATE', certificate), key, privateKey };
}

/** A separate certificate authority that nothing else trusts. */
export function makeAuthority(): Authority {
  const name = nameOf([`CN=test authority ${randomBytes(4).toString('hex')}`]);
  const isAuthority = extension(BASIC_CONSTRAINTS, sequence(der(0x01, Uint8Array.of(0xff))));
  const root = certify({ subject: name, issuer: name, extensions: [isAuthority] });
  const issueFor = (
    days: Wanted['days'],
    names: readonly Name[],
    ...extensions: readonly Buffer[]
  ): Identity => {
    const own = { subject: nameOf(names), issuer: name, extensions, ...(days && { days }) };
    const { cert, key } = certify({ ...own, signer: root.privateKey });
    return { cert, key };
  };
  const issue = (names: readonly Name[], ...extensions: readonly Buffer[]): Identity =>
    issueFor(undefined, names, ...extensions);
  const use = extension(EXTENDED_USE, sequence(CLIENT_AUTH));
  return {
    cert: root.cert,
    server: issue(
      ['CN=localhost'],
      extension(ALT_NAME, sequence(der(0x82, Buffer.from('localhost')))),
      extension(EXTENDED_USE, sequence(SERVER_AUTH)),
    ),
    client: (...names) => issue(names, use),
    holder: (names, ...extensions) => issue(names, use, ...extensions),
    clientOfDays: (days, ...names) => issueFor(days, names, use),
  };
}
