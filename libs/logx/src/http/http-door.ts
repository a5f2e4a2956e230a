import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { runWork } from '../context/logger-context.js';
import { Level } from '../levels/level.js';
import type { Logger } from '../logger/logger.js';
import { DEFAULT_ID_FIELD } from '../request/door-options.js';
import { acceptedRequestId, safeGenerator } from '../request/request-id.js';
import { recordOf, setRecord } from '../request/request-record.js';
import { parseTraceParent } from '../request/trace-parent.js';
import { bindEvents } from '../patches/bound-events.js';
import { HttpRecord } from './http-record.js';
import type { HttpLogOptions } from './http-options.js';
import { watchResponse } from '../patches/response-watch.js';
import { watchUpgrade } from '../patches/upgrade-watch.js';

const START_TEMPLATE = '--> {Method} {Path}';

/** Gives each HTTP request its id, its logger and its one event. */
export class HttpDoor {
  readonly #header: string;
  readonly #headerKey: string;
  readonly #field: string;
  readonly #newId: () => string;
  readonly #skip: ((request: IncomingMessage) => boolean) | undefined;
  readonly #startLog: boolean;
  readonly #skipProbes: boolean;
  readonly #probes: ReadonlySet<string>;

  constructor(
    private readonly logger: Logger,
    options: HttpLogOptions = {},
  ) {
    this.#header = options.header ?? 'X-Request-Id';
    this.#headerKey = this.#header.toLowerCase();
    this.#field = options.field ?? DEFAULT_ID_FIELD;
    this.#newId = safeGenerator(options.idGenerator);
    this.#skip = options.skip;
    this.#startLog = options.startLog ?? false;
    const { skipProbes = false } = options;
    this.#skipProbes = skipProbes !== false;
    this.#probes = new Set(typeof skipProbes === 'boolean' ? [] : skipProbes);
  }

  /** Runs a request's handling in its context; a request that has a record is only run. */
  request(req: IncomingMessage, res: ServerResponse, run: () => void): void {
    if (recordOf(req) !== undefined) {
      run();
      return;
    }
    const id = this.#idOf(req);
    if (!res.headersSent) res.setHeader(this.#header, id);
    const record = this.#begin(req, id);
    if (record.isLogged) watchResponse(res, req.socket, record);
    bindEvents(req, record);
    bindEvents(res, record);
    runWork(record, run);
  }

  /** The same for a connection that is handed over, by an upgrade or CONNECT. */
  upgrade(req: IncomingMessage, socket: Duplex, run: () => void): void {
    if (recordOf(req) !== undefined) {
      run();
      return;
    }
    const record = this.#begin(req, this.#idOf(req));
    if (record.isLogged) watchUpgrade(socket, (result) => record.end(result));
    bindEvents(socket, record);
    runWork(record, run);
  }

  #begin(req: IncomingMessage, id: string): HttpRecord {
    const trace = parseTraceParent(req.headers['traceparent']);
    const logger =
      trace === undefined
        ? this.logger.forContext(this.#field, id)
        : this.logger.forContextValues({
            [this.#field]: id,
            trace_id: trace.traceId,
            span_id: trace.spanId,
          });
    const record = new HttpRecord(logger, req, this.#skipProbes);
    record.isLogged = !this.#probes.has(record.path) && !this.#isSkipped(req);
    setRecord(req, record);
    // For whoever forwards the request.
    req.headers[this.#headerKey] = id;
    if (this.#startLog && record.isLogged) {
      logger.write({
        level: Level.Information,
        template: START_TEMPLATE,
        args: [record.method, record.path],
      });
    }
    return record;
  }

  #idOf(req: IncomingMessage): string {
    return acceptedRequestId(req.headers[this.#headerKey]) ?? this.#newId();
  }

  #isSkipped(req: IncomingMessage): boolean {
    try {
      return this.#skip?.(req) ?? false;
    } catch {
      return false;
    }
  }
}
