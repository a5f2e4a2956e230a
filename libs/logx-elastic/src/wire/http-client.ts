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

/** Sends requests: the seam for proxies, for signing, for another HTTP stack. */
export interface HttpClient {
  /** Rejects if there is no complete reply; a complete reply is not a failure, whatever its status. */
  post(request: HttpRequest): Promise<HttpReply>;
  /** Called once, when the sink is closed. */
  close?(): void;
}
