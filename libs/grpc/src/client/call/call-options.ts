import type { Duration } from '@apix/contracts';
import type { Metadata } from '@grpc/grpc-js';

/** A value of metadata: bytes for keys that end in `-bin`, texts for all others. */
export type HeaderValue = string | Buffer;

/** Metadata to send: that of grpc-js, or an object with a value, or several, for each key. */
export type HeadersInit =
  Metadata | Readonly<Record<string, HeaderValue | readonly HeaderValue[] | undefined>>;

/** The options of one call. */
export interface ClientCallOptions {
  /**
   * Cancels the call, with the reason of the signal as the `cause` of the error. The code is CANCELLED,
   * except: the code of the reason if that is a StatusError, and DEADLINE_EXCEEDED if the signal is one of
   * `AbortSignal.timeout`. Default: none.
   */
  readonly signal?: AbortSignal | undefined;
  /**
   * How long the call may take from now on, its answers included; the deadline is sent to the server.
   * Default: that of the method, or of the client.
   */
  readonly timeout?: Duration | undefined;
  /** Metadata to send. It replaces the client's own metadata under the same key. Default: none. */
  readonly headers?: HeadersInit | undefined;
  /** Waits for a connection instead of failing while there is none. Default: that of the client. */
  readonly waitForReady?: boolean | undefined;
  /** Whether its requests are compressed, where the client has a `compression`. Default: true. */
  readonly compress?: boolean | undefined;
  /**
   * Whether the call takes over deadline, cancellation and metadata of the call under way. Work that goes
   * on after its call was answered sets it to false. Default: true, as far as the client does.
   */
  readonly inherit?: boolean | undefined;
  /**
   * Called once, with the metadata that comes before the first answer; of a unary call that may be made
   * again, when it has ended. Default: none.
   */
  readonly onHeaders?: ((headers: Metadata) => void) | undefined;
  /** Called once, with the metadata that comes with the status, whatever that is. Default: none. */
  readonly onTrailers?: ((trailers: Metadata) => void) | undefined;
}
