import type { ServerInterceptingCallInterface } from '@grpc/grpc-js';
import type { PeerCertificate as NodeCertificate } from 'node:tls';
import type { CallPeer, PeerCertificate } from '../seams/call-context.js';

/** Who is at the other end, without the certificate when the connection is a gateway's. */
export function peerOf(call: ServerInterceptingCallInterface, forwarded: boolean): CallPeer {
  const address = call.getPeer();
  const verified = forwarded ? undefined : call.getAuthContext().sslPeerCertificate;
  return {
    address: address === 'unknown' ? '' : address,
    ...(verified && { certificate: peerCertificate(verified) }),
  };
}

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
