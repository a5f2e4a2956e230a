import { Mistakes } from '@apix/contracts';
import { type ServerCredentials, experimental } from '@grpc/grpc-js';
import { type TlsOptions } from '@apix/grpc-client/transport';
import {
  setupError,
  CertificateUpdates,
  type PemFiles,
  readPemFiles,
} from '@apix/grpc-client/internal';

/**
 * The certificates of a server, which can be read again while it serves: connections that are there
 * stay, new ones get the new certificates.
 */
export class Certificates {
  readonly credentials: ServerCredentials;
  readonly #options: TlsOptions;
  readonly #updates = new CertificateUpdates(() => ({
    ca: this.#files.clientCa,
    identity: this.#files,
  }));
  #files: PemFiles;

  constructor(options: TlsOptions, files: PemFiles) {
    this.#options = options;
    this.#files = files;
    const isMutual = files.clientCa !== undefined;
    // The first is asked for the identity, the second for the authorities, whatever their names.
    // Why: docs/decisions/0114
    this.credentials = experimental.createCertificateProviderServerCredentials(
      this.#updates,
      isMutual ? this.#updates : null,
      isMutual,
    );
  }

  /** @throws GrpcSetupError that lists every mistake; the certificates then stay as they are. */
  reload(): void {
    const mistakes = new Mistakes();
    const files = readPemFiles(this.#options, mistakes);
    if (files === undefined) throw setupError(mistakes.found);
    this.#files = files;
    this.#updates.notifyAll();
  }
}
