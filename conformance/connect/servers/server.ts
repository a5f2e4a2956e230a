import type { Features } from '../suite/axes.js';

/** A server under test: where it listens, and what it claims to do. */
export interface Server {
  readonly name: string;
  readonly features: Features;
  readonly ports: Ports;
  /**
   * Whether it ends a connection of HTTP/1 with an answer to a request that is still coming, which loses the answer now
   * and then (RFC 9112, section 9.6). Default: false.
   */
  readonly losesEarlyAnswers?: boolean;
  close(): Promise<void>;
}

export interface Ports {
  /** HTTP/1.1 without TLS. */
  readonly http1: number;
  /** HTTP/2 without TLS, by prior knowledge. */
  readonly h2c: number;
  /** Both by ALPN. */
  readonly tls: number;
  /** Where clients must have a certificate. */
  readonly mutual: number;
}
