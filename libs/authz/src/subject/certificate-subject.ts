import { type PeerCertificate, OptionsError } from '@apix/contracts';
import {
  checkedOptions,
  choice,
  option,
  type OptionTable,
  TEXT,
  withDefault,
} from '@apix/contracts/internal';
import { unauthenticated } from '../errors.js';
import type { Subject, SubjectFunc } from './subject.js';

/** Which part of a certificate is the caller's id. */
export type CertificateIdSource = 'subject' | 'uri' | 'dns' | 'email' | 'spiffe';

export interface CertificateSubjectOptions {
  /** The subject attribute that holds the roles. Default: `OU`, organizational units. */
  readonly rolesAttribute?: string;
  /** The subject attribute that says who it is. Default: `CN`. */
  readonly idAttribute?: string;
  /**
   * The source of the id: an attribute of the subject, the only URI, DNS name or mailbox among the
   * alternative names, or a SPIFFE ID by the rules of X.509-SVID. Default: 'subject'.
   */
  readonly idFrom?: CertificateIdSource;
  /**
   * Roles by id, instead of `rolesAttribute`; an id that is not in it has no roles. Default: roles are read
   * from the certificate.
   */
  readonly roles?: Readonly<Record<string, readonly string[]>>;
}

/** The prefix among the alternative names. */
const KINDS = { uri: 'URI', dns: 'DNS', email: 'email', spiffe: 'URI' } as const;

/**
 * Identifies the caller by its verified client certificate (mTLS): organizational units are its roles, and
 * it has no permissions. Anonymous without a certificate, and if a gateway elsewhere calls for the caller: then the
 * certificate of the connection is the gateway's.
 *
 * An ambiguous certificate is UNAUTHENTICATED, because a role that is left out could be one that a policy
 * forbids: if a name that is read is empty, has control characters or is not in UTF8String, PrintableString
 * or IA5String, if an id has several values, and if the wanted alternative name is missing.
 *
 * @throws OptionsError for an attribute without a name, and for options that exclude each other.
 */
export function certificateSubject(options: CertificateSubjectOptions = {}): SubjectFunc {
  const { idOf, rolesOf } = resolveOptions(options);
  return ({ peer: { certificate } }): Subject | null => {
    // That of a gateway is none of its callers', and is not there: see CallContext.forwarded.
    if (certificate === undefined) return null;
    const id = idOf(certificate);
    return { roles: rolesOf(certificate, id), permissions: [], ...(id !== undefined && { id }) };
  };
}

const CERTIFICATE_OPTIONS = {
  rolesAttribute: withDefault(TEXT, 'OU'),
  idAttribute: withDefault(TEXT, 'CN'),
  idFrom: withDefault(choice(['subject', 'uri', 'dns', 'email', 'spiffe']), 'subject'),
  roles: option<NonNullable<CertificateSubjectOptions['roles']>>(
    'an object of arrays of strings',
    isRolesTable,
  ),
} satisfies OptionTable<CertificateSubjectOptions>;

interface Readers {
  readonly idOf: (certificate: PeerCertificate) => string | undefined;
  readonly rolesOf: (certificate: PeerCertificate, id: string | undefined) => readonly string[];
}

function resolveOptions(options: CertificateSubjectOptions): Readers {
  const { roles, rolesAttribute, idAttribute, idFrom } = checkedOptions(
    CERTIFICATE_OPTIONS,
    options,
    (found) => new OptionsError('authz: certificateSubject', found),
    (read, mistakes) => {
      if (read.idFrom !== 'subject' && options.idAttribute !== undefined) {
        mistakes.add('idAttribute', "cannot be combined with idFrom, except idFrom: 'subject'");
      }
      if (options.roles !== undefined && options.rolesAttribute !== undefined) {
        mistakes.add('roles', 'cannot be combined with rolesAttribute');
      }
    },
  );
  return {
    idOf: (certificate) =>
      idFrom === 'subject'
        ? onlyOne(idAttribute, attribute(certificate, idAttribute))
        : alternativeId(certificate, idFrom),
    rolesOf: (certificate, id) => {
      if (roles === undefined) return attribute(certificate, rolesAttribute);
      return id !== undefined && Object.hasOwn(roles, id) ? roles[id]! : [];
    },
  };
}

function alternativeId(certificate: PeerCertificate, from: keyof typeof KINDS): string {
  const kind = KINDS[from];
  refuseMalformed(certificate, kind);
  const names = certificate.subjectAltNames
    .filter((name) => name.startsWith(`${kind}:`))
    .map((name) => name.slice(kind.length + 1));
  const id = onlyOne(kind, names);
  if (id === undefined) throw refused(`it has no ${kind} among its alternative names`);
  if (from !== 'spiffe') return id;
  if (!isSpiffeId(id)) throw refused('its URI is not a valid SPIFFE ID');
  if (certificate.canIssue === true) throw refused('it may sign certificates');
  return id;
}

function attribute(certificate: PeerCertificate, name: string): readonly string[] {
  refuseMalformed(certificate, name);
  return Object.hasOwn(certificate.subject, name) ? certificate.subject[name]! : [];
}

function onlyOne(name: string, values: readonly string[]): string | undefined {
  if (values.length > 1) throw refused(`it has several values of ${name}`);
  return values[0];
}

function refuseMalformed({ malformed = [] }: PeerCertificate, name: string): void {
  if (malformed.includes('*')) throw refused('it is not valid DER');
  if (malformed.includes(name)) throw refused(`its ${name} is malformed`);
}

function refused(why: string): Error {
  return unauthenticated(`the client certificate is not accepted: ${why}`);
}

function isRolesTable(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every(
      (list) => Array.isArray(list) && list.every((item) => typeof item === 'string'),
    )
  );
}

/** The longest that SPIFFE allows. */
const MAX_LENGTH = 2_048;
const ID = /^spiffe:\/\/([a-z0-9._-]{1,255})((?:\/[A-Za-z0-9._-]+)+)$/;

/**
 * Whether a URI is the SPIFFE ID of a workload (SPIFFE-ID 2.1 to 2.4, X509-SVID 4.1): a trust
 * domain in lower case, and a path without empty, `.` or `..` segments. Anything that URIs have
 * besides, such as ports, queries and percent signs, is not allowed.
 */
export function isSpiffeId(uri: string): boolean {
  const path = uri.length <= MAX_LENGTH ? ID.exec(uri)?.[2] : undefined;
  return path !== undefined && !path.split('/').some((segment) => /^\.\.?$/.test(segment));
}
