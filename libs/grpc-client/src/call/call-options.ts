import { type Duration, OptionsError } from '@apix/contracts';
import {
  callable,
  checkedOptions,
  DURATION,
  FLAG,
  foreignObject,
  objectWith,
  type OptionTable,
} from '@apix/contracts/internal';
import type { Metadata } from '@grpc/grpc-js';

/** A value of metadata: bytes for keys that end in `-bin`, texts for all others. */
export type HeaderValue = string | Buffer;

/** Metadata to send: that of grpc-js, or an object with a value, or several, for each key. */
export type HeadersInit =
  Metadata | Readonly<Record<string, HeaderValue | readonly HeaderValue[] | undefined>>;

/**
 * The options of one call. With other names no call is made: an OptionsError rejects the promise of a single
 * answer, and is thrown at once where a stream of answers would be returned.
 */
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

const CLIENT_CALL_OPTIONS = {
  signal: objectWith<AbortSignal>('an AbortSignal', 'addEventListener'),
  timeout: DURATION,
  headers: foreignObject<HeadersInit>(),
  waitForReady: FLAG,
  compress: FLAG,
  inherit: FLAG,
  onHeaders: callable(),
  onTrailers: callable(),
} satisfies OptionTable<ClientCallOptions>;

const NAMES: ReadonlySet<string> = new Set(Object.keys(CLIENT_CALL_OPTIONS));

/**
 * Reads the table only for options with a name that it does not have, because every call passes here.
 *
 * @throws OptionsError that lists what is wrong with such options.
 */
export function refuseUnknownOptions(options: ClientCallOptions): void {
  if (isKnown(options)) return;
  checkedOptions(
    CLIENT_CALL_OPTIONS,
    options,
    (found) => new OptionsError('grpc: options of the call', found),
  );
}

function isKnown(options: unknown): boolean {
  if (typeof options !== 'object' || options === null) return false;
  for (const name in options) if (!NAMES.has(name)) return false;
  return true;
}
