import type { IncomingHttpHeaders } from 'node:http2';
import type { ReceivedRequest } from '../frames/received-request.js';
import type { ServerStream } from './server-stream.js';

/** The events of a connection at the server. None of its methods may throw. */
export interface ServerSessionListener {
  /**
   * A request; it may be answered at once.
   *
   * @returns the listener for what follows on its stream.
   */
  onStream(stream: ServerStream, request: ReceivedRequest): ServerStreamListener;
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

/** The events of a stream at the server. None of its methods may throw. */
export interface ServerStreamListener {
  /** @param data to be used, or copied, at once. */
  onData(data: Buffer): void;
  /** The request is complete. */
  onEnd(trailers: IncomingHttpHeaders | undefined): void;
  /**
   * It has ended before it was answered in full, otherwise than by {@link ServerStream.close}: once, and nothing follows.
   *
   * @param code of the reset, or `lost` where the connection is gone.
   */
  onClosed(code: number | 'lost'): void;
}
