import type { IncomingMessage } from 'node:http';
import { INFRASTRUCTURE_ENDPOINT, hasMark, thrownText } from '@apix/contracts';
import type { ContextSubject } from '../context/work.js';
import { Level } from '../levels/level.js';
import type { Logger } from '../logger/logger.js';
import { RequestRecord } from '../request/request-record.js';
import { memberOf } from '../value/members-of.js';
import { isReadableError } from '../value/safely.js';
import { pathOf } from './path-of.js';
import { remoteOf } from './remote-of.js';
import type { ResponseObserver, ResponseResult } from '../patches/response-watch.js';

const TEMPLATE = '{Method} {Path} -> {Status}';

/** An HTTP request under way. */
export class HttpRecord extends RequestRecord implements ResponseObserver {
  readonly method: string;
  readonly path: string;
  /** Whether there is an event at the end. */
  isLogged = true;
  readonly #remote: string;
  readonly #userAgent: string | undefined;

  constructor(
    logger: Logger,
    private readonly req: IncomingMessage,
    private readonly skipsProbes: boolean,
  ) {
    super(logger);
    this.method = req.method ?? '';
    this.path = pathOf(req.url);
    this.#remote = remoteOf(req.socket);
    this.#userAgent = req.headers['user-agent'];
  }

  override get subject(): ContextSubject {
    return { request: this.req, call: this.forwarded?.call };
  }

  /** Writes the event. */
  end({ status, bytes, cut }: ResponseResult): void {
    if (this.skipsProbes && this.#isProbe()) return;
    const { failure } = this;
    const tellsFailure = failure !== undefined && !failure.reported;
    // A failure after the headers were sent shows in no status.
    const level = cut === 'server' && tellsFailure ? Level.Error : levelOf(status);
    const isError = level === Level.Error && tellsFailure;
    if (isError) failure.reported = true;
    const fields = {
      status,
      bytes,
      remote: this.#remote,
      duration_ms: this.durationMs,
      route: this.route,
      handler: this.handler,
      method: this.forwarded?.method,
      code: this.forwarded?.code,
      user_agent: this.#userAgent,
      cause: tellsFailure && !isError ? causeOf(failure.error) : undefined,
      // Why: docs/decisions/0255
      ended: cut,
    };
    (isError ? this.events.withStackTrace(true) : this.events).write({
      level,
      template: TEMPLATE,
      args: [this.method, this.path, status],
      fields: this.extra === undefined ? fields : { ...this.extra, ...fields },
      error: isError ? failure.error : undefined,
    });
  }

  /** By its handler in Nest, or by whatever answered before Nest had chosen one. */
  #isProbe(): boolean {
    // Why: docs/decisions/0143
    return this.isProbe || hasMark(this.req, INFRASTRUCTURE_ENDPOINT);
  }
}

/** Error for status 5xx, Warning for 4xx, Information otherwise. */
function levelOf(status: number): Level {
  if (status >= 500) return Level.Error;
  return status >= 400 ? Level.Warning : Level.Information;
}

/** What is behind a failure that the caller was told of, such as an HttpException's cause. */
function causeOf(error: unknown): unknown {
  const cause: unknown = isReadableError(error) ? memberOf(error, 'cause') : undefined;
  return isReadableError(cause) ? thrownText(cause) : cause;
}
