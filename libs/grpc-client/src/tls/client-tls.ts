import { type Mistakes, shownValue } from '@apix/contracts';
import { isRecord, type OptionTable, readOptions } from '@apix/contracts/internal';
import { rootCertificates } from 'node:tls';
import type { LatestCertificates } from './certificate-updates.js';
import { CERTIFICATE, identityOf, type Pem, PRIVATE_KEY } from './tls.js';

/** How a client knows the server, and shows who it is itself. */
export interface ClientTlsOptions {
  /** Authorities that the server's certificate must come from. Default: those that Node brings along. */
  readonly ca?: Pem | undefined;
  /** The client's own certificate, for mutual TLS. Default: none. */
  readonly cert?: Pem | undefined;
  /** The private key of that certificate. Required with `cert`. */
  readonly key?: Pem | undefined;
}

const CLIENT_TLS_OPTIONS = {
  ca: CERTIFICATE,
  cert: CERTIFICATE,
  key: PRIVATE_KEY,
} satisfies OptionTable<ClientTlsOptions>;

/** The option `tls`; undefined, with the mistakes added, where the certificates cannot be used. */
export function readClientTls(
  options: true | ClientTlsOptions,
  mistakes: Mistakes,
): LatestCertificates | undefined {
  if (options === true) return { ca: nodesOwn(), identity: undefined };
  if (!isRecord(options)) {
    mistakes.add('tls', `must be true, false or an object, not ${shownValue(options)}`);
    return undefined;
  }
  const before = mistakes.found.length;
  const { ca, cert, key } = readOptions(CLIENT_TLS_OPTIONS, options, 'tls', mistakes);
  if ((options.cert === undefined) !== (options.key === undefined)) {
    const missing = options.cert === undefined ? 'cert' : 'key';
    mistakes.add(`tls.${missing}`, 'missing; a certificate and its key are set together');
  }
  const identity = identityOf(cert, key, mistakes);
  return mistakes.found.length > before ? undefined : { ca: ca?.bytes ?? nodesOwn(), identity };
}

/** grpc-js ignores a provider without authorities. */
function nodesOwn(): Buffer {
  return Buffer.from(rootCertificates.join('\n'));
}
