import { type Mistakes, shownValue } from '@apix/contracts';
import { rootCertificates } from 'node:tls';
import type { LatestCertificates } from '../../server/certificate-updates.js';
import { type Pem, readAuthorities, readIdentity } from '../../server/tls.js';

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
  const authorities = ca === undefined ? nodesOwn() : readAuthorities('tls.ca', ca, mistakes);
  const identity =
    cert === undefined || key === undefined ? undefined : readIdentity(cert, key, mistakes);
  return mistakes.found.length > before ? undefined : { ca: authorities, identity };
}

/** grpc-js ignores a provider without authorities. */
function nodesOwn(): Buffer {
  return Buffer.from(rootCertificates.join('\n'));
}
