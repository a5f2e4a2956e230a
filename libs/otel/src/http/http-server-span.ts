import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type EventContext,
  responseHeaderOf,
  type EndObserver,
  type ResponseEnd,
  type UpgradeEnd,
  type UpgradeObserver,
} from '@apix/calls/internal';
import { INFRASTRUCTURE_ENDPOINT, type ServedOutcome } from '@apix/contracts';
import {
  acceptedRequestId,
  givenRequestId,
  hasMark,
  type ReachedHandler,
  reachedHandler,
  thrownError,
} from '@apix/contracts/internal';
import {
  type Attributes,
  type Context,
  context,
  type Span,
  SpanStatusCode,
} from '@opentelemetry/api';
import type { HttpMetrics } from '../metrics/durations.js';
import {
  ERROR_TYPE,
  FACT_PREFIX,
  HTTP_ENDED_BY,
  HTTP_RESPONSE_HEADER_PREFIX,
  HTTP_RESPONSE_STATUS_CODE,
  HTTP_ROUTE,
  RPC_PROTOCOL,
  NETWORK_PROTOCOL_VERSION,
  REQUEST_ID,
} from '../names.js';
import type { EndedRequests } from '../tracing/ended-requests.js';
import { type EntrySpan, entrySpan, withEntrySpan } from '../tracing/entry-span.js';
import { endSpan } from '../tracing/guarded-tracer.js';
import { recordFailure } from '../tracing/span-failure.js';
import type { HttpTracingSettings } from './http-tracing-options.js';
import type { KnownProbes } from './known-probes.js';
import { methodAndScheme, methodInName, protocolVersion, schemeOf } from './request-attributes.js';

/** What the spans of one entry point share. */
export interface HttpTracingParts {
  readonly settings: HttpTracingSettings;
  /** Undefined if nothing records them. */
  readonly metrics: HttpMetrics | undefined;
  readonly probes: KnownProbes;
  readonly requests: EndedRequests;
}

type Ended = ResponseEnd['cut'];

/** In the name of a request that reached no handler. */
const NO_ROUTE = '(no route)';

/** The request whose span it is. */
export interface TracedExchange {
  readonly req: IncomingMessage;
  /** Undefined for a connection that is handed over. */
  readonly res: ServerResponse | undefined;
  /** The value of `http.request.method`. */
  readonly method: string;
  readonly path: string;
}

/** The span of a request under way, ended once. */
export class HttpServerSpan implements EntrySpan, EndObserver, UpgradeObserver, EventContext {
  /** In which the request is handled. */
  readonly context: Context;
  readonly #started = performance.now();
  readonly #base: Attributes;
  #failure: { readonly error: unknown } | undefined;
  #isEnded = false;

  constructor(
    readonly span: Span,
    outer: Context,
    private readonly exchange: TracedExchange,
    private readonly parts: HttpTracingParts,
  ) {
    this.context = withEntrySpan(outer, this);
    this.#base = methodAndScheme(exchange.method, schemeOf(exchange.req));
    parts.metrics?.active.add(1, this.#base, this.context);
  }

  /** The first failure is the one that the others come of. */
  failed(error: unknown): void {
    this.#failure ??= { error };
  }

  get isActive(): boolean {
    return entrySpan() === this;
  }

  run(emit: () => boolean): boolean {
    return context.with(this.context, emit);
  }

  responseEnded({ status, isSent, cut }: ResponseEnd): void {
    this.#end(isSent ? status : undefined, cut);
  }

  /** The rest belongs to the protocol after the upgrade. */
  answered(status: number): void {
    this.#end(status, undefined);
  }

  upgradeEnded({ cut }: UpgradeEnd): void {
    this.#end(undefined, cut);
  }

  #end(status: number | undefined, ended: Ended): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    const { metrics, settings, probes, requests } = this.parts;
    const { req, method, path } = this.exchange;
    metrics?.active.add(-1, this.#base, this.context);
    const reached = reachedHandler(req);
    const isInfrastructure = (): boolean =>
      hasMark(req, INFRASTRUCTURE_ENDPOINT) || reached?.isInfrastructure === true;
    const isProbe = !settings.infrastructure && isInfrastructure();
    if (isProbe) probes.add(method, path);
    const errorType = this.#errorType(status, ended);
    if (this.span.isRecording()) this.#complete(reached, status, ended, errorType);
    if (metrics !== undefined && !isProbe) {
      const attributes = { ...this.#base, ...outcome(reached, status, errorType) };
      attributes[NETWORK_PROTOCOL_VERSION] = protocolVersion(req);
      const seconds = (performance.now() - this.#started) / 1_000;
      metrics.durations.record(seconds, attributes, this.context);
    }
    if (requests.isFollowed && !isProbe) {
      const name = `${methodInName(method)} ${reached?.route ?? NO_ROUTE}`;
      const ms = performance.now() - this.#started;
      requests.report(name, ms, requestOutcome(status, errorType));
    }
    endSpan(this.span);
  }

  #complete(
    reached: ReachedHandler | undefined,
    status: number | undefined,
    ended: Ended,
    errorType: string | undefined,
  ): void {
    const { span } = this;
    const { req, res, method } = this.exchange;
    if (reached?.route !== undefined) span.updateName(`${methodInName(method)} ${reached.route}`);
    const attributes = outcome(reached, status, errorType);
    const id = givenRequestId(req) ?? acceptedRequestId(req.headers['x-request-id']);
    if (id !== undefined) attributes[REQUEST_ID] = id;
    if (reached?.protocol !== undefined) attributes[RPC_PROTOCOL] = reached.protocol;
    if (reached?.facts !== undefined) addFacts(attributes, reached.facts);
    if (ended !== undefined) attributes[HTTP_ENDED_BY] = ended;
    if (res !== undefined) addHeaders(attributes, res, this.parts.settings.captureHeaders.response);
    if (errorType !== undefined) {
      if (this.#failure === undefined) span.setStatus({ code: SpanStatusCode.ERROR });
      else recordFailure(span, this.#failure.error);
    }
    span.setAttributes(attributes);
  }

  /** Undefined where the server is not to blame. */
  #errorType(status: number | undefined, ended: Ended): string | undefined {
    const isError = ended === 'server' || (status !== undefined && status >= 500);
    if (!isError) return undefined;
    if (this.#failure !== undefined) return thrownError(this.#failure.error).name;
    return status !== undefined && status >= 500 ? String(status) : 'aborted';
  }
}

function requestOutcome(status: number | undefined, errorType: string | undefined): ServedOutcome {
  if (errorType !== undefined) return 'failed';
  return status !== undefined && status >= 400 ? 'refused' : 'ok';
}

function outcome(
  reached: ReachedHandler | undefined,
  status: number | undefined,
  errorType: string | undefined,
): Attributes {
  const attributes: Attributes = {};
  if (reached?.route !== undefined) attributes[HTTP_ROUTE] = reached.route;
  if (status !== undefined) attributes[HTTP_RESPONSE_STATUS_CODE] = status;
  if (errorType !== undefined) attributes[ERROR_TYPE] = errorType;
  return attributes;
}

function addHeaders(attributes: Attributes, res: ServerResponse, names: readonly string[]): void {
  for (const name of names) {
    const value = responseHeaderOf(res, name);
    if (value === undefined) continue;
    attributes[HTTP_RESPONSE_HEADER_PREFIX + name] = Array.isArray(value) ? value : [String(value)];
  }
}

/** What an entry point says of a request. */
function addFacts(attributes: Attributes, facts: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(facts)) {
    attributes[FACT_PREFIX + name.replaceAll('_', '.')] = value;
  }
}
