/** A request that a {@link HttpClient} sends; always a POST. */
export interface HttpRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Aborts when the timeout is up, or when the reply is no longer needed. */
  readonly signal: AbortSignal;
}

export interface HttpReply {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
}

/** Sends requests; implement it to use a proxy, sign requests, or use another HTTP library. */
export interface HttpClient {
  /** Rejects if there is no complete reply; resolves to a complete reply with any status. */
  post(request: HttpRequest): Promise<HttpReply>;
  /** Called once, when the sink is closed. */
  close?(): void;
}
