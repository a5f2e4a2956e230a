/** The four shapes of an RPC. */
export type MethodKind = 'unary' | 'server_stream' | 'client_stream' | 'bidi_stream';

/** Metadata key or HTTP header with which a gateway declares that it calls for another caller. */
export const FORWARDED_KEY = 'x-apix-forwarded';

/**
 * The door of a call: the entry point through which it reached the app. `direct` means no entry point;
 * `other` is one of which only is known that Nest's guards run for it.
 */
export type CallDoor = 'grpc' | 'http' | 'message' | 'websocket' | 'graphql' | 'direct' | 'other';

/** The method that a call is for. */
export interface CallMethod {
  /** Canonical full name, `/<package>.<Service>/<Method>`; for other doors the handler's name. */
  readonly fullName: string;
  /** Full name of the service, such as `shop.v1.Orders`. */
  readonly service: string;
  /** The method's name inside its service. */
  readonly name: string;
  readonly kind: MethodKind;
}

/** gRPC metadata or HTTP headers, read only. Keys are lower-case. */
export interface CallMetadata {
  /** Every text value of a key, in order; empty when absent. A comma does not split a value. */
  get(key: string): readonly string[];
  keys(): readonly string[];
}

/** The caller's verified TLS certificate, as far as policy needs it. */
export interface PeerCertificate {
  /**
   * Subject attributes, such as `CN` and `OU`, by OpenSSL's names or as dotted numbers; an
   * attribute given twice has two values.
   */
  readonly subject: Readonly<Record<string, readonly string[]>>;
  /**
   * `DNS:…`, `URI:…`, `email:…` and `IP Address:…`, one for each name, with nothing escaped; names
   * of other kinds are left out.
   */
  readonly subjectAltNames: readonly string[];
  /**
   * Subject attributes, and kinds of alternative names such as `URI`, of which a value is empty, has
   * control characters or is in an encoding that readers understand differently; all their values
   * are left out. `*`: the certificate cannot be read at all. Absent or empty: none.
   */
  readonly malformed?: readonly string[];
  /** Whether it may issue certificates or lists of revoked ones, as no caller's should. */
  readonly canIssue?: boolean;
  /** SHA-256 fingerprint, upper-case hexadecimal pairs with colons. */
  readonly fingerprint256: string;
}

/** The other end of the connection. */
export interface CallPeer {
  /** `address:port`, or the path of a socket; empty when not known. */
  readonly address: string;
  /** Present only where TLS asked for a client certificate and verified it. */
  readonly certificate?: PeerCertificate | undefined;
}

/**
 * What every door reports about a call: enough to derive a subject, and nothing specific to the transport.
 */
export interface CallContext {
  readonly door: CallDoor;
  readonly method: CallMethod;
  readonly metadata: CallMetadata;
  readonly peer: CallPeer;
  /** Aborts when the caller goes away or its deadline passes. */
  readonly signal: AbortSignal;
  /**
   * True when a gateway speaks for the caller. The connection's certificate is then the
   * gateway's and `peer.certificate` is absent, except where the gateway is an entry point in this process that has
   * verified the certificate of the caller itself.
   */
  readonly forwarded: boolean;
  /**
   * What a client sent when it opened its WebSocket, in addition to the headers: `handshake.auth` of
   * Socket.IO, `connectionParams` of graphql-ws. The client's own claims: no proxy has checked them.
   * Undefined at other doors, and if the client sent nothing.
   */
  readonly connectionParams?: Readonly<Record<string, unknown>> | undefined;
}
