import type { IncomingMessage } from 'node:http';
import { Code } from '@apix/contracts';
import type { MessageOrWire } from '@apix/calls';
import { bodyReadBefore } from '@apix/calls/internal';
import { refusal } from '../errors.js';
import type { ResolvedTranscoding } from '../options.js';
import { type RawBody, takesRawBody } from '../request/body.js';
import { assertBodyTaken, contentTypeOf, isForm } from '../request/content-headers.js';
import {
  type ReadingRules,
  isOpenEnded,
  readMessage,
  readWire,
  textBytesOf,
} from '../request/read-message.js';
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

/** What a request says besides its body, and how the body becomes a message. */
export interface BodyContent {
  /** The largest body, in bytes. */
  readonly maxBytes: number;
  /** The bytes of a message that is not in the body. Default: the body, also one that a middleware has read. */
  readonly given?: (() => Buffer) | undefined;
  /** @throws HttpRefusal for a body that is refused by what its headers say. */
  check(): void;
  /**
   * The message, and the length of its text: see `SendContext`.
   *
   * @returns undefined if it is to be read again when the caller has been let in: until then, it costs too much.
   * @throws HttpRefusal, or rejects, for bytes that are not a message.
   */
  read(bytes: Buffer, progress: ReadProgress): ReadRequest | undefined | Promise<ReadRequest>;
}

/** How it stands with a request whose body has come. */
export interface ReadProgress {
  /** Whether the caller has been let in. */
  readonly isAdmitted: boolean;
  /** Whether the message is no longer wanted. */
  readonly isStopped: boolean;
}

/** A message that was read. */
export type ReadRequest = readonly [message: MessageOrWire, textBytes: number | undefined];

/** The message of a request that announces a body, which is looked at when the server wants it. */
export class AnnouncedRequest implements PendingRequest, BodyOutcome, ReadProgress {
  readonly message = undefined;
  isAdmitted = false;
  isStopped = false;
  #ahead: ReadAheadShare | undefined;
  #reader: BodyReader | undefined;
  /** Bytes that wait until it is decided whether the caller is let in. */
  #kept: Buffer | undefined;
  #take!: TakeRequest;
  #refuse!: (error: unknown) => void;

  constructor(
    private readonly req: IncomingMessage,
    private readonly rules: BodyRules,
    private readonly content: BodyContent,
  ) {}

  start(take: TakeRequest, refuse: (error: unknown) => void): void {
    const { req, content } = this;
    this.#take = take;
    this.#refuse = refuse;
    let kept: Buffer | undefined;
    let length: number;
    try {
      content.check();
      kept = content.given === undefined ? keptBody(req) : content.given();
      length = kept?.length ?? Number(req.headers['content-length'] ?? 0);
      if (length > content.maxBytes) throw tooLarge(content.maxBytes);
    } catch (error) {
      refuse(error);
      return;
    }
    const ahead = this.rules.ahead.share(length);
    this.#ahead = ahead;
    if (kept === undefined)
      this.#reader = new BodyReader(req, this.rules, content.maxBytes, ahead, this);
    else if (ahead.take(kept.length)) void this.onBody(kept);
    else this.#kept = kept;
  }

  admit(): void {
    this.isAdmitted = true;
    this.#ahead?.giveBack();
    this.#reader?.admit();
    const kept = this.#kept;
    this.#kept = undefined;
    if (kept !== undefined) void this.onBody(kept);
  }

  stop(): void {
    this.isStopped = true;
    this.#kept = undefined;
    this.#reader?.stop();
    this.#reader = undefined;
  }

  overdue(): unknown {
    return overdue();
  }

  onBody(bytes: Buffer): void | Promise<void> {
    const reader = this.#reader;
    this.#reader = undefined;
    let read: ReturnType<BodyContent['read']>;
    try {
      read = this.content.read(bytes, this);
    } catch (error) {
      this.#refuse(error);
      return;
    }
    if (read instanceof Promise) {
      this.#reader = reader;
      return read.then(this.#onRead, this.#onUnread);
    }
    if (read === undefined) this.#kept = bytes;
    else this.#take(...read);
  }

  readonly #onRead = (read: ReadRequest): void => {
    this.#reader = undefined;
    if (!this.isStopped) this.#take(...read);
  };

  readonly #onUnread = (error: unknown): void => {
    this.#reader = undefined;
    if (!this.isStopped) this.#refuse(error);
  };

  onFailure(error: unknown): void {
    this.#reader = undefined;
    this.isStopped = true;
    this.#refuse(error);
  }
}

/** The body of a request to a rule. With `asWire`, the message may be bytes as the wire has them. */
export class RuleBody implements BodyContent {
  constructor(
    private readonly request: RoutedRequest,
    private readonly rules: BodyRules,
    private readonly asWire: boolean,
  ) {}

  get maxBytes(): number {
    return this.rules.options.maxBodyBytes;
  }

  check(): void {
    const { request, rules } = this;
    if (!isOpenEnded(request.req)) assertBodyTaken(request, rules.options);
  }

  read(bytes: Buffer): ReadRequest {
    const { request, asWire } = this;
    const { req, binding } = request;
    const { options, reading } = this.rules;
    const body: RawBody = { contentType: contentTypeOf(req), bytes };
    if (isOpenEnded(req) && bytes.length > 0) assertBodyTaken(request, options);
    const form =
      options.forms && bytes.length > 0 && isForm(body.contentType) && !takesRawBody(binding);
    const read = asWire ? readWire : readMessage;
    return [read(request, body, form, reading), textBytesOf(request, body, reading)];
  }
}

/**
 * The body of a request that a middleware has read before the gateway; undefined if nothing has read it.
 *
 * @throws HttpRefusal when its bytes are gone.
 */
export function keptBody(req: IncomingMessage): Buffer | undefined {
  const bytes = bodyReadBefore(req);
  if (bytes !== 'lost') return bytes;
  throw refusal(
    Code.INTERNAL,
    'request body: a middleware has read it before the gateway; let it leave this path alone, or keep the bytes in req.rawBody',
  );
}
