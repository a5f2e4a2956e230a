import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import type { CallPeer } from '@apix/contracts';
import { peerCertificate } from '../certificate/peer-certificate.js';

/**
 * The other end of the connection of a request.
 *
 * @param forwarded Whether a gateway sends it for another caller: then the gateway's certificate is left
 *   out.
 */
export function requestPeer({ socket }: IncomingMessage, forwarded: boolean): CallPeer {
  const address = socket?.remoteAddress === undefined ? '' : addressOf(socket);
  const verified = !forwarded && socket instanceof TLSSocket && isVerified(socket);
  const certificate = verified ? socket.getPeerCertificate() : undefined;
  // Node gives an empty object where the client sent no certificate, and null once it is closed.
  return certificate?.fingerprint256 === undefined
    ? { address }
    : { address, certificate: peerCertificate(certificate) };
}

/** `authorized` stays true when a later handshake brought a certificate that was not verified. */
function isVerified({ authorized, authorizationError }: TLSSocket): boolean {
  // Null on Node 20, for all that its types say, and undefined on others.
  return authorized && !(authorizationError as Error | null | undefined);
}

function addressOf(socket: IncomingMessage['socket']): string {
  return `${socket.remoteAddress}:${socket.remotePort}`;
}
