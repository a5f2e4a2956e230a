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

/** Server-Sent Events where the caller asks for them, else newline-delimited JSON. */
export function streamFormatOf(accept: string | undefined): StreamFormat {
  const wanted = (accept ?? '')
    .split(',')
    .map((part) => part.split(';', 1)[0]?.trim().toLowerCase());
  return wanted.includes(EVENTS.contentType) ? EVENTS : NDJSON;
}
