import { Mistakes } from '@apix/contracts';
import { type ServerCredentials, experimental } from '@grpc/grpc-js';
import { type TlsOptions } from '@apix/grpc-client/transport';
import {
  setupError,
  CertificateUpdates,
  type PemFiles,
  readPemFiles,
} from '@apix/grpc-client/internal';

/** How long a client may take for its handshake of TLS, in milliseconds. */
export const HANDSHAKE_MS = 10_000;

/** As much of the credentials of grpc-js as is replaced. */
interface ServerOptionsOf {
  _getConstructorOptions(): object;
}

/**
 * The certificates of a server, which can be read again while it serves: connections that are there
 * stay, new ones get the new certificates.
 */
export class Certificates {
  readonly credentials: ServerCredentials;
  /** Whether clients must present a certificate. */
  readonly isMutual: boolean;
  readonly #reloaded: ((files: PemFiles) => void)[] = [];
  readonly #options: TlsOptions;
  readonly #updates = new CertificateUpdates(() => ({
    ca: this.#files.clientCa,
    identity: this.#files,
  }));
  #files: PemFiles;

  constructor(options: TlsOptions, files: PemFiles) {
    this.#options = options;
    this.#files = files;
    this.isMutual = files.clientCa !== undefined;
    // The first is asked for the identity, the second for the authorities, whatever their names.
    // Why: docs/decisions/0114
    this.credentials = experimental.createCertificateProviderServerCredentials(
      this.#updates,
      this.isMutual ? this.#updates : null,
      this.isMutual,
    );
    const given = this.credentials as unknown as ServerOptionsOf;
    const own = given._getConstructorOptions.bind(given);
    // Node gives a client two minutes.
    given._getConstructorOptions = () => ({ ...own(), handshakeTimeout: HANDSHAKE_MS });
  }

  /** As they were last read. */
  get files(): PemFiles {
    return this.#files;
  }

  /** Calls back with those that are read again, for connections to come. */
  onReload(reloaded: (files: PemFiles) => void): void {
    this.#reloaded.push(reloaded);
  }

  /** @throws GrpcSetupError that lists every mistake; the certificates then stay as they are. */
  reload(): void {
    const mistakes = new Mistakes();
    const files = readPemFiles(this.#options, mistakes);
    if (files === undefined) throw setupError(mistakes.found);
    this.#files = files;
    this.#updates.notifyAll();
    for (const apply of this.#reloaded) apply(files);
  }
}
