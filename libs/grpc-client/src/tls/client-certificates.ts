import { Mistakes } from '@apix/contracts';
import { type ChannelCredentials, experimental } from '@grpc/grpc-js';
import { setupError } from '../errors.js';
import { CertificateUpdates, type LatestCertificates } from './certificate-updates.js';
import { type ClientTlsOptions, readClientTls } from './client-tls.js';

/**
 * The certificates of a client, which can be read again: connections that are there stay, new ones get
 * the new certificates.
 */
export class ClientCertificates {
  readonly credentials: ChannelCredentials;
  readonly #options: true | ClientTlsOptions;
  readonly #updates = new CertificateUpdates(() => this.#latest);
  #latest: LatestCertificates;

  constructor(options: true | ClientTlsOptions, latest: LatestCertificates) {
    this.#options = options;
    this.#latest = latest;
    // Why: docs/decisions/0114
    this.credentials = experimental.createCertificateProviderChannelCredentials(
      this.#updates,
      latest.identity === undefined ? null : this.#updates,
    );
  }

  get latest(): LatestCertificates {
    return this.#latest;
  }

  /** @throws GrpcSetupError that lists every mistake; the certificates then stay as they are. */
  reload(): void {
    const mistakes = new Mistakes();
    const latest = readClientTls(this.#options, mistakes);
    if (latest === undefined) throw setupError(mistakes.found);
    this.#latest = latest;
    this.#updates.notifyAll();
  }
}

/** The certificates that options name; undefined, with the mistakes added, where they cannot be used. */
export function openClientCertificates(
  options: true | ClientTlsOptions,
  mistakes: Mistakes,
): ClientCertificates | undefined {
  const latest = readClientTls(options, mistakes);
  return latest && new ClientCertificates(options, latest);
}
