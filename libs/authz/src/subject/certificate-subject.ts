import { Mistakes, OptionsError } from '@apix/contracts';
import type { Subject, SubjectFunc } from './subject.js';

export interface CertificateSubjectOptions {
  /** The subject attribute that holds the roles. Default: `OU`, organizational units. */
  readonly rolesAttribute?: string;
  /** The subject attribute that says who it is. Default: `CN`. */
  readonly idAttribute?: string;
}

/**
 * The caller by its verified client certificate (mTLS): organizational units are its roles, and
 * it has no permissions. Anonymous without a certificate, and where a gateway speaks for the
 * caller: then the certificate is the gateway's.
 *
 * @throws OptionsError for an attribute without a name.
 */
export function certificateSubject(options: CertificateSubjectOptions = {}): SubjectFunc {
  const mistakes = new Mistakes();
  const rolesAttribute = mistakes.text('rolesAttribute', options.rolesAttribute ?? 'OU');
  const idAttribute = mistakes.text('idAttribute', options.idAttribute ?? 'CN');
  mistakes.throwIfAny((found) => new OptionsError('authz: certificateSubject', found));
  return ({ forwarded, peer: { certificate } }): Subject | null => {
    if (forwarded || certificate === undefined) return null;
    const [id] = certificate.subject[idAttribute] ?? [];
    const roles = certificate.subject[rolesAttribute] ?? [];
    return { roles, permissions: [], ...(id !== undefined && { id }) };
  };
}
