import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  bindEvents,
  enterServer,
  onResponseEnd,
  type RequestEntrance,
  watchUpgrade,
} from '@apix/calls/internal';
import type { WatchableServer } from '@apix/calls';
import {
  targetOf,
  anyValue,
  foreignObject,
  type OptionTable,
  required,
} from '@apix/contracts/internal';
import {
  context,
  type Meter,
  SpanKind,
  type SpanOptions,
  type TextMapGetter,
} from '@opentelemetry/api';
import { otelOptions } from '../errors.js';
import { httpMetrics } from '../metrics/durations.js';
import { beginningOf, type Tracing } from '../tracing/tracing.js';
import { HttpServerSpan, type HttpTracingParts, type TracedExchange } from './http-server-span.js';
import { HTTP_TRACING_OPTIONS, type HttpTracingOptions } from './http-tracing-options.js';
import { KnownProbes } from './known-probes.js';
import { knownMethod, methodInName, requestAttributes } from './request-attributes.js';

/** On a request that has a span, so that it has one alone. */
const TRACED = Symbol.for('apix.otel.TracedRequest');

type Traceable = IncomingMessage & { [TRACED]?: true };

/** Creates the spans and figures of requests. */
export interface HttpTracingInit {
  readonly tracing: Tracing;
  readonly options?: HttpTracingOptions | undefined;
  /** Default: nothing is measured. */
  readonly meter?: Meter | undefined;
}

const HTTP_TRACING_INIT = {
  tracing: required<object>(foreignObject('a Tracing'), {}),
  // Read by its own table.
  options: anyValue(),
  meter: anyValue(),
} satisfies OptionTable<HttpTracingInit>;

const HEADERS: TextMapGetter<IncomingHttpHeaders> = {
  keys: (headers) => Object.keys(headers),
  get: (headers, key) => headers[key],
};

/** Gives each HTTP request its span, and measures it. */
export class HttpTraceDoor implements RequestEntrance {
  readonly place = 'trace';
  readonly #tracing: Tracing;
  readonly #parts: HttpTracingParts;

  /**
   * @param app that has noted the paths of its infrastructure. Default: they are known once they have answered.
   * @throws OtelError with every wrong option.
   */
  constructor(init: HttpTracingInit, app?: object) {
    otelOptions(HTTP_TRACING_INIT, init);
    const { tracing, options = {}, meter } = init;
    const settings = otelOptions(HTTP_TRACING_OPTIONS, options);
    const metrics = meter && httpMetrics(meter);
    this.#tracing = tracing;
    const { requests } = tracing;
    this.#parts = { settings, metrics, probes: new KnownProbes(app), requests };
  }

  request(req: Traceable, res: ServerResponse, run: () => void): void {
    const entry = this.#begin(req, res);
    if (entry === undefined) return run();
    onResponseEnd(res, req.socket, entry);
    bindEvents(req, entry);
    bindEvents(res, entry);
    context.with(entry.context, run);
  }

  /** The span is that of the handshake; what comes after it belongs to another protocol. */
  upgrade(req: Traceable, socket: Duplex, run: () => void): void {
    const entry = this.#begin(req, undefined);
    if (entry === undefined) return run();
    watchUpgrade(socket, entry);
    context.with(entry.context, run);
  }

  #begin(req: Traceable, res: ServerResponse | undefined): HttpServerSpan | undefined {
    const method = knownMethod(req.method);
    const { path } = targetOf(req);
    if (req[TRACED] === true || this.#isSkipped(req, method, path)) return undefined;
    req[TRACED] = true;
    const { settings } = this.#parts;
    const { context: outer, links } = beginningOf(
      this.#tracing,
      settings.incoming,
      req.headers,
      HEADERS,
    );
    const attributes = requestAttributes(req, method, settings);
    const options: SpanOptions =
      links === undefined
        ? { kind: SpanKind.SERVER, attributes }
        : { kind: SpanKind.SERVER, attributes, links };
    const span = this.#tracing.tracer.startSpan(methodInName(method), options, outer);
    const exchange: TracedExchange = { req, res, method, path };
    return new HttpServerSpan(span, outer, exchange, this.#parts);
  }

  #isSkipped(req: IncomingMessage, method: string, path: string): boolean {
    const { settings, probes } = this.#parts;
    if (!settings.infrastructure && probes.has(method, path)) return true;
    try {
      return settings.skip?.(req) === true;
    } catch {
      return false;
    }
  }
}

/**
 * Gives each request of a server of Node, `http`, `https` or `http2`, its span, upgrades included. Nest apps
 * import `TracingModule` instead.
 *
 * @returns a function that undoes it.
 * @throws OtelError with every wrong option.
 */
export function traceServer(server: WatchableServer, init: HttpTracingInit): () => void {
  return enterServer(server, new HttpTraceDoor(init));
}

/**
 * The same for one handler: its requests have spans, and it runs in them.
 *
 * @throws OtelError with every wrong option.
 */
export function tracedHandler<Req extends IncomingMessage, Res extends ServerResponse>(
  handler: (req: Req, res: Res) => unknown,
  init: HttpTracingInit,
): (req: Req, res: Res) => void {
  const door = new HttpTraceDoor(init);
  return (req, res) => door.request(req, res, () => void handler(req, res));
}
