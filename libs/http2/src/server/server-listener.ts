import type { ReceivedRequest } from '../frames/received-request.js';
import type { Http2ServerStream, ServerStreamListener } from './server-stream.js';

/** The events of a connection at the server. None of its methods may throw. */
export interface ServerSessionListener {
  /**
   * A request; it may be answered at once.
   *
   * @returns the listener for what follows on its stream.
   */
  onStream(stream: Http2ServerStream, request: ReceivedRequest): ServerStreamListener;
  /**
   * The connection ends, for what the client did: once, before {@link onClosed}.
   *
   * @param code of the GOAWAY (RFC 9113, 7).
   * @param reason in words, for a log.
   */
  onMisuse(code: number, reason: string): void;
  /** Once; nothing follows. */
  onClosed(): void;
}
