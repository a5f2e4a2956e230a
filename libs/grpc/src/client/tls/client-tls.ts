import { type Mistakes, shownValue } from '@apix/contracts';
import { createPrivateKey } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import type { LatestCertificates } from '../../server/certificate-updates.js';
import { type Pem, certificateOf, parsePem, readPem } from '../../server/tls.js';

/** How a client knows the server, and shows who it is itself. */
export interface ClientTlsOptions {
  /** Authorities that the server's certificate must come from. Default: those that Node brings along. */
  readonly ca?: Pem | undefined;
  /** The client's own certificate, for mutual TLS. Default: none. */
  readonly cert?: Pem | undefined;
  /** The private key of that certificate. Required with `cert`. */
  readonly key?: Pem | undefined;
}

/** Undefined, with the mistakes added, where the certificates cannot be used. */
export function readClientTls(
  options: true | ClientTlsOptions,
  mistakes: Mistakes,
): LatestCertificates | undefined {
  if (options !== true && (typeof options !== 'object' || options === null)) {
    mistakes.add('tls', `must be true, false or an object, not ${shownValue(options)}`);
    return undefined;
  }
  const before = mistakes.found.length;
  const { ca, cert, key }: ClientTlsOptions = options === true ? {} : options;
  if ((cert === undefined) !== (key === undefined)) {
    const missing = cert === undefined ? 'cert' : 'key';
    mistakes.add(`tls.${missing}`, 'missing; a certificate and its key are set together');
    return undefined;
  }
  const caBytes = ca === undefined ? nodesOwn() : readPem('tls.ca', ca, mistakes);
  parsePem('tls.ca', 'certificate', caBytes, mistakes, certificateOf);
  const identity =
    cert === undefined || key === undefined ? undefined : readIdentity(cert, key, mistakes);
  return mistakes.found.length > before ? undefined : { ca: caBytes, identity };
}

function readIdentity(cert: Pem, key: Pem, mistakes: Mistakes): LatestCertificates['identity'] {
  const certBytes = readPem('tls.cert', cert, mistakes);
  const keyBytes = readPem('tls.key', key, mistakes);
  const certificate = parsePem('tls.cert', 'certificate', certBytes, mistakes, certificateOf);
  const privateKey = parsePem('tls.key', 'private key', keyBytes, mistakes, createPrivateKey);
  if (certificate === undefined || privateKey === undefined) return undefined;
  if (!certificate.checkPrivateKey(privateKey)) {
    mistakes.add('tls.key', 'does not belong to tls.cert');
  }
  return { cert: certBytes!, key: keyBytes! };
}

/** grpc-js takes a provider for none where it has no authorities. */
function nodesOwn(): Buffer {
  return Buffer.from(rootCertificates.join('\n'));
}
