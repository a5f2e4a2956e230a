import { Mistakes } from '@apix/contracts';
import { type ServerCredentials, experimental } from '@grpc/grpc-js';
import { setupError } from '../errors.js';
import { type PemFiles, type TlsOptions, readPemFiles } from './tls.js';

type CaListener = experimental.CaCertificateUpdateListener;
type IdentityListener = experimental.IdentityCertificateUpdateListener;

/**
 * The certificates of a server, which can be read again while it serves: connections that are there
 * stay, new ones get the new certificates.
 */
export class Certificates implements experimental.CertificateProvider {
  readonly credentials: ServerCredentials;
  readonly #options: TlsOptions;
  readonly #caListeners = new Set<CaListener>();
  readonly #identityListeners = new Set<IdentityListener>();
  #files: PemFiles;

  constructor(options: TlsOptions, files: PemFiles) {
    this.#options = options;
    this.#files = files;
    const isMutual = files.clientCa !== undefined;
    // The first is asked for the identity, the second for the authorities, whatever their names.
    // Why: docs/decisions/0114
    this.credentials = experimental.createCertificateProviderServerCredentials(
      this,
      isMutual ? this : null,
      isMutual,
    );
  }

  /** @throws GrpcSetupError that lists every mistake; the certificates then stay as they are. */
  reload(): void {
    const mistakes = new Mistakes();
    const files = readPemFiles(this.#options, mistakes);
    if (files === undefined) throw setupError(mistakes.found);
    this.#files = files;
    for (const listener of this.#caListeners) this.#tellCa(listener);
    for (const listener of this.#identityListeners) this.#tellIdentity(listener);
  }

  addCaCertificateListener(listener: CaListener): void {
    this.#caListeners.add(listener);
    // grpc-js listens to its credentials only once it has asked them to listen to us.
    process.nextTick(() => this.#tellCa(listener));
  }

  removeCaCertificateListener(listener: CaListener): void {
    this.#caListeners.delete(listener);
  }

  addIdentityCertificateListener(listener: IdentityListener): void {
    this.#identityListeners.add(listener);
    process.nextTick(() => this.#tellIdentity(listener));
  }

  removeIdentityCertificateListener(listener: IdentityListener): void {
    this.#identityListeners.delete(listener);
  }

  #tellCa(listener: CaListener): void {
    const { clientCa } = this.#files;
    listener(clientCa === undefined ? null : { caCertificate: clientCa });
  }

  #tellIdentity(listener: IdentityListener): void {
    const { cert, key } = this.#files;
    listener({ certificate: cert, privateKey: key });
  }
}
