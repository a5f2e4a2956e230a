import type { PeerCertificate as NodeCertificate } from 'node:tls';
import type { PeerCertificate } from '@apix/contracts';
import { certificateNames } from './certificate-names.js';

/**
 * A certificate of Node's TLS layer, which must have been verified, as policy reads it. Read from
 * its DER. Why: docs/decisions/0191
 */
export function peerCertificate({ raw, fingerprint256 }: NodeCertificate): PeerCertificate {
  try {
    return { ...certificateNames(raw), fingerprint256 };
  } catch {
    return { subject: {}, subjectAltNames: [], malformed: ['*'], fingerprint256 };
  }
}
