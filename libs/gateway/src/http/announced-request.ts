import type { IncomingMessage } from 'node:http';
import { Code } from '@apix/contracts';
import type { MessageOrWire } from '@apix/calls';
import { refusal } from '../errors.js';
import type { ResolvedTranscoding } from '../options.js';
import { type RawBody, takesRawBody } from '../request/body.js';
import { assertBodyTaken, contentTypeOf, isForm, isOpenEnded } from '../request/content-headers.js';
import { type ReadingRules, readMessage, readWire, textBytesOf } from '../request/read-message.js';
import type { PendingRequest, TakeRequest } from '../upstream/request-source.js';
import type { RoutedRequest } from './answer.js';
import type { BodyBudget, ReadAhead, ReadAheadShare } from './body-budget.js';
import { type BodyOutcome, BodyReader, overdue, tooLarge } from './read-request-body.js';

/** The settings that all bodies of a gateway share. */
export interface BodyRules {
  readonly reading: ReadingRules;
  readonly options: ResolvedTranscoding;
  readonly budget: BodyBudget;
  readonly ahead: ReadAhead;
}

/** The message of a request that announces a body, which is looked at when the server wants it. */
export class AnnouncedRequest implements PendingRequest, BodyOutcome {
  readonly message = undefined;
  #ahead: ReadAheadShare | undefined;
  #reader: BodyReader | undefined;
  /** The body that a middleware has read, while it is not decided whether the caller is let in. */
  #kept: Buffer | undefined;
  #take!: TakeRequest;
  #refuse!: (error: unknown) => void;

  constructor(
    private readonly request: RoutedRequest,
    private readonly rules: BodyRules,
    /** Whether the message may be bytes as the wire has them. */
    private readonly asWire: boolean,
  ) {}

  start(take: TakeRequest, refuse: (error: unknown) => void): void {
    const { req } = this.request;
    const { options, budget } = this.rules;
    this.#take = take;
    this.#refuse = refuse;
    let kept: Buffer | undefined;
    let length: number;
    try {
      if (!isOpenEnded(req)) assertBodyTaken(this.request, options);
      kept = keptBody(req);
      length = kept?.length ?? Number(req.headers['content-length'] ?? 0);
      if (length > options.maxBodyBytes) throw tooLarge(options);
    } catch (error) {
      refuse(error);
      return;
    }
    const ahead = this.rules.ahead.share(length);
    this.#ahead = ahead;
    if (kept === undefined) this.#reader = new BodyReader(req, options, budget, ahead, this);
    else if (ahead.take(kept.length)) this.onBody(kept);
    else this.#kept = kept;
  }

  admit(): void {
    this.#ahead?.giveBack();
    this.#reader?.admit();
    const kept = this.#kept;
    this.#kept = undefined;
    if (kept !== undefined) this.onBody(kept);
  }

  stop(): void {
    this.#kept = undefined;
    this.#reader?.stop();
    this.#reader = undefined;
  }

  overdue(): unknown {
    return overdue();
  }

  onBody(bytes: Buffer): void {
    this.#reader = undefined;
    const { request, rules } = this;
    const { req, binding } = request;
    const body: RawBody = { contentType: contentTypeOf(req), bytes };
    let message: MessageOrWire;
    try {
      if (isOpenEnded(req) && bytes.length > 0) assertBodyTaken(request, rules.options);
      const form =
        rules.options.forms &&
        bytes.length > 0 &&
        isForm(body.contentType) &&
        !takesRawBody(binding);
      const read = this.asWire ? readWire : readMessage;
      message = read(request, body, form, rules.reading);
    } catch (error) {
      this.#refuse(error);
      return;
    }
    this.#take(message, textBytesOf(request, body, rules.reading));
  }

  onFailure(error: unknown): void {
    this.#reader = undefined;
    this.#refuse(error);
  }
}

/** Where middleware keeps the bytes of a body: Nest's `rawBody: true`, and body-parser's `raw()`. */
interface ParsedRequest {
  readonly rawBody?: unknown;
  readonly body?: unknown;
}

/**
 * The body of a request that a middleware has read before the gateway, as it was sent; undefined if nothing
 * has read it.
 *
 * @throws HttpRefusal when the bytes are gone: the result of a parser has lost digits of 64-bit integers,
 *   and members that were given twice.
 */
// Why: docs/decisions/0032
function keptBody(req: IncomingMessage): Buffer | undefined {
  if (!req.readableDidRead) return undefined;
  const { rawBody, body } = req as ParsedRequest;
  const bytes = [rawBody, body].find((it) => it instanceof Uint8Array);
  if (bytes !== undefined) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  throw refusal(
    Code.INTERNAL,
    'request body: a middleware has read it before the gateway; let it leave this path alone, or keep the bytes in req.rawBody',
  );
}
