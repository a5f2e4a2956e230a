import type { MessageOrWire } from '@apix/calls';
import { badRequest } from '../errors.js';
import type { ResolvedTranscoding } from '../options.js';
import { type RawBody, takesRawBody } from '../request/body.js';
import { isForm } from '../request/form.js';
import { type ReadingRules, readMessage, readWire, textBytesOf } from '../request/read-message.js';
import type { PendingRequest, TakeRequest } from '../upstream/request-source.js';
import type { RoutedRequest } from './answer.js';
import type { BodyBudget } from './body-budget.js';
import { assertJson, assertNotCompressed } from './media-type.js';
import { keptBody } from './kept-body.js';
import type { ReadAhead, ReadAheadShare } from './read-ahead.js';
import {
  type BodyOutcome,
  BodyReader,
  isOpenEnded,
  overdue,
  tooLarge,
} from './read-request-body.js';

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
      if (!isOpenEnded(req)) this.#assertTaken();
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
    let message: MessageOrWire;
    let body: RawBody;
    try {
      body = this.#bodyOf(bytes);
      message = this.#read(body);
    } catch (error) {
      this.#refuse(error);
      return;
    }
    this.#take(message, textBytesOf(this.request, body, this.rules.reading));
  }

  onFailure(error: unknown): void {
    this.#reader = undefined;
    this.#refuse(error);
  }

  #bodyOf(bytes: Buffer): RawBody {
    const { req } = this.request;
    if (isOpenEnded(req) && bytes.length > 0) this.#assertTaken();
    return { contentType: req.headers['content-type'] ?? '', bytes };
  }

  #read(body: RawBody): MessageOrWire {
    const { request, rules } = this;
    const read = this.asWire ? readWire : readMessage;
    return read(request, body, this.#isForm(body), rules.reading);
  }

  /** @throws HttpRefusal for a body if the rule has none, one of another media type and a compressed one. */
  #assertTaken(): void {
    const { req, binding } = this.request;
    if (binding.body.kind === 'none') {
      throw badRequest(
        `request body: ${binding.httpMethod} ${binding.template.source} takes no body`,
      );
    }
    assertNotCompressed(req);
    const form = this.rules.options.forms && isForm(req.headers['content-type'] ?? '');
    if (!takesRawBody(binding) && !form) assertJson(req);
  }

  #isForm({ contentType, bytes }: RawBody): boolean {
    const isOne = this.rules.options.forms && bytes.length > 0 && isForm(contentType);
    return isOne && !takesRawBody(this.request.binding);
  }
}
