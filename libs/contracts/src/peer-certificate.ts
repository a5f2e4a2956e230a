import type { PeerCertificate as NodeCertificate } from 'node:tls';
import type { PeerCertificate } from './seams/call-context.js';

/** A certificate of Node's TLS layer, which must have been verified, as policy reads it. */
export function peerCertificate(certificate: NodeCertificate): PeerCertificate {
  const subject = Object.entries(certificate.subject ?? {}).map(
    ([name, value]) => [name, ([] as string[]).concat(value ?? [])] as const,
  );
  const names = certificate.subjectaltname;
  return {
    subject: Object.fromEntries(subject),
    subjectAltNames: names === undefined ? [] : names.split(', '),
    fingerprint256: certificate.fingerprint256,
  };
}
