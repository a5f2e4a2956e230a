import type { experimental } from '@grpc/grpc-js';
import type { Identity } from './tls.js';

type CaListener = experimental.CaCertificateUpdateListener;
type IdentityListener = experimental.IdentityCertificateUpdateListener;

/** The certificates being read at the moment. */
export interface LatestCertificates {
  /** Authorities of the other end. */
  readonly ca: Buffer | undefined;
  readonly identity: Identity | undefined;
}

/** Tells connections to come of new certificates; those that are there stay. */
export class CertificateUpdates implements experimental.CertificateProvider {
  readonly #latest: () => LatestCertificates;
  readonly #caListeners = new Set<CaListener>();
  readonly #identityListeners = new Set<IdentityListener>();

  constructor(latest: () => LatestCertificates) {
    this.#latest = latest;
  }

  /** There are other ones from now on. */
  notifyAll(): void {
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
    const { ca } = this.#latest();
    listener(ca === undefined ? null : { caCertificate: ca });
  }

  #tellIdentity(listener: IdentityListener): void {
    const { identity } = this.#latest();
    listener(
      identity === undefined ? null : { certificate: identity.cert, privateKey: identity.key },
    );
  }
}
