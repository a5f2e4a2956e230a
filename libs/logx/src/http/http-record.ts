import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  responseHeaderNames,
  responseHeaderOf,
  type UpgradeEnd,
  type UpgradeObserver,
} from '@apix/calls/internal';
import { codeName, httpStatusOf, INFRASTRUCTURE_ENDPOINT, thrownText } from '@apix/contracts';
import {
  hasMark,
  isReadableError,
  notedRequestError,
  reachedHandler,
  readTarget,
} from '@apix/contracts/internal';
import { runWork } from '../context/logger-context.js';
import type { ContextSubject, WorkName } from '../context/work.js';
import { Level } from '../levels/level.js';
import type { OnlyEvent } from '../logger/event-logger.js';
import type { Logger } from '../logger/logger.js';
import { type FoundFields, foundFields } from '../request/found-fields.js';
import { headerFields } from '../request/header-fields.js';
import { levelOf } from '../request/level-rules.js';
import { type OwnFields, RequestRecord } from '../request/request-record.js';
import type { RequestSampler } from '../request/request-sampler.js';
import { changedMembers } from '../value/changed-members.js';
import { memberOf } from '../value/members-of.js';
import { HTTP_TEMPLATE, HttpFields } from './http-fields.js';
import type { HttpLogSettings } from './http-options.js';
import { remoteOf } from './remote-of.js';
import type { ResponseObserver, ResponseResult } from '../patches/response-watch.js';

/** The parts that all requests of an entry point share. */
export interface HttpLogParts {
  readonly logger: Logger;
  readonly settings: HttpLogSettings;
  readonly sampler: RequestSampler;
  /** Gives a record that no interceptor has seen the options of its handler. */
  readonly takeRefusedRouteLog:
    ((record: RequestRecord, request: IncomingMessage) => void) | undefined;
}

/** The data of an HTTP request at its start. */
export interface LoggedExchange {
  readonly req: IncomingMessage;
  /** Undefined for a connection that is handed over. */
  readonly res: ServerResponse | undefined;
}

/** An HTTP request under way. */
export class HttpRecord extends RequestRecord implements ResponseObserver, UpgradeObserver {
  readonly method: string;
  /** As it was received: frameworks change it during the request. */
  private readonly target: string | undefined;
  private readonly remote: string;
  private readonly userAgent: string | undefined;

  constructor(
    private readonly parts: HttpLogParts,
    private readonly exchange: LoggedExchange,
    own: OwnFields,
  ) {
    super(parts.logger, own);
    const { req } = exchange;
    this.method = req.method ?? '';
    this.target = req.url;
    this.remote = remoteOf(req.socket);
    this.userAgent = req.headers['user-agent'];
  }

  get path(): string {
    return this.target === undefined ? '' : readTarget(this.target).path;
  }

  override get subject(): ContextSubject {
    return { request: this.exchange.req, call: this.forwarded?.call };
  }

  upgradeEnded(end: UpgradeEnd): void {
    this.end(end);
  }

  protected override get named(): WorkName {
    return { kind: 'http', name: `${this.method} ${this.path}` };
  }

  /** Writes the event. */
  end(result: ResponseResult): void {
    if (this.dependsOnWork) runWork(this, () => this.#end(result));
    else this.#end(result);
  }

  #end(result: ResponseResult): void {
    const { status, cut } = result;
    const { durationMs } = this;
    if (!this.isAdmitted) this.parts.takeRefusedRouteLog?.(this, this.exchange.req);
    if (cut === 'server' && result.error !== undefined) this.failInResponse(result.error);
    const { protocol, code } = reachedHandler(this.exchange.req) ?? {};
    const shown = code === undefined ? status : Math.max(status, httpStatusOf(code));
    if (shown >= 500) this.#takeNotedFailure();
    const { failure } = this;
    const reportsFailure = failure !== undefined && !failure.reported;
    // A failure after the headers were sent does not change the status. Why: docs/decisions/0254
    const usual = this.#isCutOff(result, reportsFailure) ? Level.Error : ladder(shown);
    if (this.keepsEvents) {
      const hasFailed = usual === Level.Error || failure?.isPanic === true;
      this.settle({ hasFailed, durationMs, isStream: () => this.#isStream(status) });
    }
    const level = this.#levelOf(result, usual, durationMs);
    const isError = usual === Level.Error && reportsFailure;
    if (level === 'off' || !isError) this.reportPanic();
    if (level === 'off') return;
    const isFailure = usual > Level.Information || cut !== undefined || failure !== undefined;
    const standsFor = isFailure ? undefined : this.#standsFor(result, level, durationMs);
    if (standsFor === 0) return;
    if (isError) failure.reported = true;
    const fields = new HttpFields(
      status,
      result.bytes,
      this.remote,
      durationMs,
      this.#route,
      this.#handlerReached,
      this.forwarded?.method,
      code === undefined ? this.forwarded?.code : codeName(code),
      protocol,
      this.userAgent,
      // Why: docs/decisions/0254
      cut,
      standsFor,
    );
    const cause = reportsFailure && !isError ? causeOf(failure.error) : undefined;
    const more = this.#moreFields();
    const isPlain = more === undefined && cause === undefined;
    const event: OnlyEvent = {
      level,
      kind: 'http',
      template: HTTP_TEMPLATE,
      args: [this.method, this.path, status],
      fields: isPlain ? fields : Object.assign({}, more, { cause }, fields),
    };
    if (isError) this.events.withStackTrace(true).write({ ...event, error: failure.error });
    else if (!isPlain || !this.writesAlone(event)) this.events.write(event);
  }

  /** Whether the server ended a response before it was complete; it may end a connection that was handed over. */
  #isCutOff({ cut }: ResponseResult, reportsFailure: boolean): boolean {
    return cut === 'server' && (reportsFailure || this.exchange.res !== undefined);
  }

  /** The failure of code that answers without a handler of Nest, such as a gateway. */
  #takeNotedFailure(): void {
    const noted = this.failure === undefined ? notedRequestError(this.exchange.req) : undefined;
    if (noted !== undefined) this.fail(noted.error);
  }

  /** Undefined for a request whose event is written independently of `sample`. */
  #standsFor({ status }: ResponseResult, level: Level, durationMs: number): number | undefined {
    const { routeSample } = this;
    const { sampler } = this.parts;
    if (sampler.isIdle && routeSample === undefined) return undefined;
    if (level > Level.Information || !this.isEnabled(level)) return undefined;
    return sampler.standsFor({
      record: this,
      route: () => this.#route,
      handler: this.#handlerReached,
      durationMs,
      isStream: () => this.#isStream(status),
    });
  }

  /** If a gateway in this process made a gRPC call for the request, the handler is that of the call. */
  get #handlerReached(): string | undefined {
    return this.handler ?? reachedHandler(this.exchange.req)?.handler;
  }

  get #route(): string | undefined {
    return reachedHandler(this.exchange.req)?.route;
  }

  #levelOf({ status, cut }: ResponseResult, level: Level, durationMs: number): Level | 'off' {
    const { rules } = this.parts.settings;
    const isProbe = rules.probes !== 'all' && this.#isProbe();
    // Most apps have no rules, and skip their cost.
    if (rules.isPlain && !isProbe && this.routeLevel === undefined) return level;
    const { req: request } = this.exchange;
    const route = this.#route;
    const handler = this.#handlerReached;
    const error = this.failure?.error;
    return levelOf(rules, {
      record: this,
      isProbe,
      isStream: this.#isStream(status),
      outcome: { request, status, ended: cut, durationMs, route, handler, level, error },
    });
  }

  /** Decided by its handler in Nest, or by the code that answered before Nest had chosen one. */
  #isProbe(): boolean {
    // Why: docs/decisions/0143
    return (
      this.isProbe ||
      hasMark(this.exchange.req, INFRASTRUCTURE_ENDPOINT) ||
      reachedHandler(this.exchange.req)?.isInfrastructure === true ||
      this.#hasProbePath()
    );
  }

  #hasProbePath(): boolean {
    const { probePaths } = this.parts.settings;
    return probePaths.size > 0 && probePaths.has(this.path);
  }

  /** The caller determines the duration. */
  #isStream(status: number): boolean {
    if (status === 101) return true;
    const kind = this.forwarded?.call.method.kind ?? 'unary';
    if (kind !== 'unary') return true;
    const { res } = this.exchange;
    const type = res && responseHeaderOf(res, 'content-type');
    return typeof type === 'string' && type.startsWith('text/event-stream');
  }

  /** Data of few requests: fields that the app adds, and headers. */
  #moreFields(): FoundFields | undefined {
    const { fields, requestHeaders, responseHeaders } = this.parts.settings;
    const { req, res } = this.exchange;
    const facts = reachedHandler(req)?.facts;
    const extra = facts === undefined ? this.extra : { ...facts, ...this.extra };
    if (fields === undefined && requestHeaders === undefined && responseHeaders === undefined) {
      return extra;
    }
    return {
      request_headers:
        requestHeaders &&
        headerFields(
          requestHeaders,
          () => Object.keys(req.headers),
          (name) => req.headers[name],
        ),
      response_headers:
        res &&
        responseHeaders &&
        headerFields(
          responseHeaders,
          () => responseHeaderNames(res),
          (name) => responseHeaderOf(res, name),
        ),
      ...changedMembers(this.found, foundFields(fields, req)),
      ...extra,
    };
  }
}

/** Error for status 5xx, Warning for 4xx, Information otherwise. */
function ladder(status: number): Level {
  if (status >= 500) return Level.Error;
  return status >= 400 ? Level.Warning : Level.Information;
}

/** The cause of a failure that the caller was informed of, such as an HttpException's cause. */
function causeOf(error: unknown): unknown {
  const cause: unknown = isReadableError(error) ? memberOf(error, 'cause') : undefined;
  return isReadableError(cause) ? thrownText(cause) : cause;
}
