import { peerCertificate } from '@apix/calls/internal';
import type { CallContext } from '@apix/contracts';
import { describe, expect, it } from '@jest/globals';
import { X509Certificate } from 'node:crypto';
import {
  type AltName,
  type Identity,
  MAY_ISSUE,
  type Name,
  altNames,
  makeAuthority,
} from '../certificates.fixture.js';
import {
  type CertificateSubjectOptions,
  certificateSubject,
  isSpiffeId,
} from './certificate-subject.js';

const authority = makeAuthority();

const holder = (names: readonly Name[], ...alternatives: readonly AltName[]): Identity =>
  authority.holder(names, altNames(...alternatives));

/** What Node gives of a certificate, read by apix. */
function read({ cert }: Identity) {
  return peerCertificate(new X509Certificate(cert).toLegacyObject());
}

/** The subject, or why there is none. */
function subjectOf(identity: Identity, options: CertificateSubjectOptions): unknown {
  const call = { forwarded: false, peer: { address: '', certificate: read(identity) } };
  try {
    return certificateSubject(options)(call as CallContext);
  } catch (error) {
    return (error as Error).message;
  }
}

describe('peerCertificate()', () => {
  it('reads the same as Node where there is no doubt', () => {
    const identity = holder(
      ['O=shop', 'CN=ada', 'OU=a, b', 'OU=c+OU=d', ['CN', 0x13, 'Printable'], 'OU=käse'],
      ['DNS', 'a.example'],
      ['email', 'ada@a.example'],
      ['URI', 'https://a.example/x?y=1#z'],
      ['IP', '\x7f\0\0\x01'],
      ['IP', `\x20\x01\x0d\xb8${'\0'.repeat(11)}\x01`],
    );
    const node = new X509Certificate(identity.cert);
    const { subject, fingerprint256 } = node.toLegacyObject();
    expect(read(identity)).toEqual({
      subject: { O: ['shop'], CN: subject.CN, OU: subject.OU },
      subjectAltNames: node.subjectAltName?.split(', '),
      fingerprint256,
      malformed: [],
      canIssue: false,
    });
  });

  it('leaves out a kind of names that holds a mangled one, and says so', () => {
    const identity = holder(
      ['CN=ada', 'OU=x\0y', 'OU=z'],
      ['DNS', 'a\0b'],
      ['DNS', 'c'],
      ['URI', 'x:y'],
    );
    expect(read(identity)).toMatchObject({
      subject: { CN: ['ada'] },
      subjectAltNames: ['URI:x:y'],
      malformed: ['OU', 'DNS'],
    });
  });

  it.each<[string, readonly AltName[], readonly string[]]>([
    ['a comma in a name', [['URI', 'x:a, URI:x:b']], []],
    ['a comma without a space', [['URI', 'x:a,URI:x:b']], ['URI:x:a,URI:x:b']],
    ['quotes', [['DNS', '"a"']], ['DNS:"a"']],
    ['an empty name', [['DNS', '']], []],
    ['a name that is not ASCII', [['email', '\xe4@b']], []],
    ['an address of five bytes', [['IP', '12345']], []],
    [
      'a name of another kind',
      [
        ['dir', '0\0'],
        ['DNS', 'a'],
      ],
      ['DNS:a'],
    ],
  ])('splits no alternative names by their text: %s', (_, names, expected) => {
    expect(read(holder([], ...names)).subjectAltNames).toEqual(expected);
  });

  it('reads no name of a certificate with two lists of alternative names', () => {
    const identity = authority.holder(
      ['CN=ada', 'OU=admin'],
      altNames(['URI', 'spiffe://a/b']),
      altNames(['URI', 'spiffe://a/c']),
    );
    expect(read(identity)).toMatchObject({ subject: {}, subjectAltNames: [], malformed: ['*'] });
    expect(subjectOf(identity, {})).toMatch(/: it is not valid DER$/);
  });

  it('reads no name of what is not the DER of a certificate', () => {
    const { raw } = new X509Certificate(holder(['CN=ada'], ['DNS', 'a']).cert);
    const good = new X509Certificate(raw).toLegacyObject();
    for (let length = 0; length < raw.length; length += 7) {
      const cut = peerCertificate({ ...good, raw: raw.subarray(0, length) });
      expect(cut).toMatchObject({ subject: {}, malformed: ['*'] });
    }
    const indefinite = Buffer.from([0x30, 0x80, ...raw.subarray(4), 0, 0]);
    expect(peerCertificate({ ...good, raw: indefinite }).malformed).toEqual(['*']);
  });
});

describe('certificateSubject()', () => {
  it.each<[CertificateSubjectOptions, string]>([
    [{ idFrom: 'uri' }, 'x:y'],
    [{ idFrom: 'dns' }, 'a.example'],
    [{ idFrom: 'email' }, 'ada@a.example'],
    [{}, 'ada'],
    [{ idAttribute: 'O' }, 'shop'],
  ])('takes the id as %j says', (options, id) => {
    const identity = holder(
      ['CN=ada', 'O=shop', 'OU=staff'],
      ['URI', 'x:y'],
      ['DNS', 'a.example'],
      ['email', 'ada@a.example'],
    );
    expect(subjectOf(identity, options)).toEqual({ id, roles: ['staff'], permissions: [] });
  });

  it.each<[string, CertificateSubjectOptions, string]>([
    ['two CNs', {}, 'it has several values of CN'],
    ['a mangled OU', { idAttribute: 'O' }, 'its OU is malformed'],
    ['two DNS names', { idFrom: 'dns' }, 'it has several values of DNS'],
    ['no mailbox', { idFrom: 'email' }, 'it has no email among its alternative names'],
    ['a URI that is no SPIFFE ID', { idFrom: 'spiffe' }, 'its URI is not a valid SPIFFE ID'],
  ])('accepts no certificate with %s', (_, options, why) => {
    const identity = holder(
      ['CN=ada', 'CN=eve', 'O=shop', 'OU=a\x1bb'],
      ['DNS', 'a'],
      ['DNS', 'b'],
      ['URI', 'spiffe://shop'],
    );
    expect(subjectOf(identity, options)).toBe(`the client certificate is not accepted: ${why}`);
  });

  it.each(Object.entries(MAY_ISSUE))(
    'takes no issuer for a workload, by its %s',
    (_, extension) => {
      const identity = authority.holder([], altNames(['URI', 'spiffe://shop/a']), extension);
      expect(subjectOf(identity, { idFrom: 'spiffe' })).toMatch(/: it may sign certificates$/);
    },
  );

  it('gives roles by id alone where they are options, and none by the names of objects', () => {
    const options = { roles: { ada: ['admin'] } };
    expect(subjectOf(holder(['CN=ada', 'OU=x']), options)).toMatchObject({ roles: ['admin'] });
    for (const name of ['eve', 'constructor', '__proto__', 'toString']) {
      expect(subjectOf(holder([`CN=${name}`, 'OU=x']), options)).toMatchObject({ roles: [] });
    }
    expect(subjectOf(holder(['OU=x']), options)).toEqual({ roles: [], permissions: [] });
  });

  it.each<[object, string]>([
    [{ idFrom: 'san' }, 'idFrom: must be one of'],
    [
      { idFrom: 'uri', idAttribute: 'O' },
      "idAttribute: cannot be combined with idFrom, except idFrom: 'subject'",
    ],
    [{ roles: {}, rolesAttribute: 'O' }, 'roles: cannot be combined with rolesAttribute'],
    [{ roles: { a: 'admin' } }, 'roles: must be an object of arrays of strings, not an object'],
    [{ roles: ['admin'] }, 'roles: must be an object of arrays of strings, not an array'],
  ])('refuses the options %j', (options, mistake) => {
    expect(() => certificateSubject(options)).toThrow(`authz: certificateSubject: ${mistake}`);
  });
});

describe('isSpiffeId()', () => {
  it.each([
    'spiffe://example.org/a',
    'spiffe://10.0.0.1/ns/prod/sa/Web-1_a.b',
    `spiffe://${'d'.repeat(255)}/a`,
    'spiffe://a/...',
  ])('accepts %s', (id) => {
    expect(isSpiffeId(id)).toBe(true);
  });

  it.each([
    '',
    'spiffe://',
    'spiffe:///a',
    'spiffe://example.org',
    'spiffe://example.org/',
    'spiffe://example.org/a/',
    'spiffe://example.org//a',
    'spiffe://example.org/./a',
    'spiffe://example.org/a/..',
    'spiffe://Example.org/a',
    'SPIFFE://example.org/a',
    'spiffe://example.org:80/a',
    'spiffe://user@example.org/a',
    'spiffe://example.org/a?b',
    'spiffe://example.org/a#b',
    'spiffe://example.org/%61',
    'spiffe://example.org/a\n',
    'https://example.org/a',
    `spiffe://${'d'.repeat(256)}/a`,
    `spiffe://a/${'b'.repeat(2_048)}`,
  ])('refuses %j', (id) => {
    expect(isSpiffeId(id)).toBe(false);
  });
});
