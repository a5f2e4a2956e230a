import type { ServerInterceptingCallInterface } from '@grpc/grpc-js';
import type { CallPeer } from '@apix/contracts';
import { peerCertificate } from '../certificate/peer-certificate.js';

/** The other end of the connection; without the certificate if the connection is a gateway's. */
export function peerOf(call: ServerInterceptingCallInterface, forwarded: boolean): CallPeer {
  const verified = forwarded ? undefined : call.getAuthContext().sslPeerCertificate;
  return {
    address: addressOf(call),
    ...(verified && { certificate: peerCertificate(verified) }),
  };
}

/** As `getPeer` has it, which asks the socket for each part again; grpc-js has asked it once. */
function addressOf(call: ServerInterceptingCallInterface): string {
  const { remoteAddress, remotePort } = call.getConnectionInfo();
  if (remoteAddress !== undefined && remotePort !== undefined) {
    return `${remoteAddress}:${remotePort}`;
  }
  const peer = call.getPeer();
  return peer === 'unknown' ? '' : peer;
}
