import { typePreference } from '@apix/contracts';

/** How the messages of a server stream become a response body. */
export interface StreamFormat {
  readonly contentType: string;
  /** One message; `json` is its JSON text. */
  message(json: string): string;
  /** The heartbeat that keeps an idle connection open, without a meaning. */
  readonly heartbeat: string;
  /** The end: what went wrong as JSON text, or undefined for OK. */
  end(error: string | undefined): string;
}

/**
 * Newline-delimited JSON, with the envelope that grpc-gateway uses: `{"result":…}` a message and
 * `{"error":…}` as the last line of a stream that failed. An empty line is a heartbeat.
 */
const NDJSON: StreamFormat = {
  contentType: 'application/x-ndjson',
  message: (json) => `{"result":${json}}\n`,
  heartbeat: '\n',
  end: (error) => (error === undefined ? '' : `{"error":${error}}\n`),
};

/**
 * Server-Sent Events (HTML Standard §9.2): a message is an event without name; the last event
 * is `status`, so that a client knows not to reconnect. A comment is a heartbeat.
 */
const EVENTS: StreamFormat = {
  contentType: 'text/event-stream',
  message: (json) => `data: ${json}\n\n`,
  heartbeat: ': heartbeat\n\n',
  end: (error) => `event: status\ndata: ${error ?? '{"code":"OK"}'}\n\n`,
};

/** Every form of a stream. */
export const STREAM_TYPES: readonly string[] = [NDJSON.contentType, EVENTS.contentType];

/**
 * Server-Sent Events where the caller asks for them, else newline-delimited JSON; undefined if the caller
 * refuses both.
 */
// Why: docs/decisions/0387
export function streamFormatOf(accept: string | undefined): StreamFormat | undefined {
  const events = typePreference(accept, EVENTS.contentType);
  const lines = typePreference(accept, NDJSON.contentType);
  if (events === undefined) return lines?.quality === 0 ? EVENTS : NDJSON;
  if (events.quality === 0) return lines?.quality === 0 ? undefined : NDJSON;
  const least = lines?.quality ?? 0;
  const isWanted = events.isNamed ? events.quality >= least : events.quality > least;
  return isWanted ? EVENTS : NDJSON;
}
