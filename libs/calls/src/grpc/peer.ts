import type { ServerInterceptingCallInterface } from '@grpc/grpc-js';
import type { CallPeer } from '@apix/contracts';
import { peerCertificate } from '../certificate/peer-certificate.js';

/** Who is at the other end, without the certificate when the connection is a gateway's. */
export function peerOf(call: ServerInterceptingCallInterface, forwarded: boolean): CallPeer {
  const address = call.getPeer();
  const verified = forwarded ? undefined : call.getAuthContext().sslPeerCertificate;
  return {
    address: address === 'unknown' ? '' : address,
    ...(verified && { certificate: peerCertificate(verified) }),
  };
}
