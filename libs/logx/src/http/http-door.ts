import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { bindEvents, giveHeader, type RequestEntrance, watchUpgrade } from '@apix/calls/internal';
import { activeTrace } from '@apix/contracts';
import { acceptedRequestId, giveRequestId } from '@apix/contracts/internal';
import { runWork } from '../context/logger-context.js';
import { LEVEL_FIELDS } from '../levels/level-fields.js';
import { keepsEvents } from '../levels/level-tree.js';
import { Level } from '../levels/level.js';
import type { Logger } from '../logger/logger.js';
import { resolved } from '../request/door-options.js';
import { foundFields } from '../request/found-fields.js';
import { LeftOutRequests } from '../request/left-out-requests.js';
import { attachLogger } from '../request/request-logger.js';
import { requestRecordOf, setRecord } from '../request/request-record.js';
import { RequestSampler } from '../request/request-sampler.js';
import { parseTraceParent } from '../request/trace-parent.js';
import { type HttpLogParts, HttpRecord } from './http-record.js';
import { type HttpLogOptions, type HttpLogSettings, readHttpOptions } from './http-options.js';
import type { RefusedRequests } from './refused-requests.js';
import { watchResponse } from '../patches/response-watch.js';

const START_TEMPLATE = '--> {Method} {Path}';

/** Gives each HTTP request its id, its logger and its one event. */
export class HttpDoor implements RequestEntrance {
  readonly place = 'log';
  readonly #settings: HttpLogSettings;
  readonly #headerKey: string;
  readonly #parts: HttpLogParts;
  /** Whether the level of a request's events depends on its id. */
  readonly #namesLevel: boolean;
  readonly #keepsEvents: boolean;

  /** @throws OptionsError with every wrong option. */
  constructor(
    logger: Logger,
    options?: HttpLogOptions,
    private readonly refused?: RefusedRequests,
    leftOut = new LeftOutRequests(),
    takeRefusedRouteLog?: HttpLogParts['takeRefusedRouteLog'],
  ) {
    this.#settings = resolved((mistakes) => readHttpOptions(options, '', mistakes));
    this.#headerKey = this.#settings.header.toLowerCase();
    const sampler = new RequestSampler('http', this.#settings.sample, leftOut);
    this.#parts = { logger, settings: this.#settings, sampler, takeRefusedRouteLog };
    this.#namesLevel = LEVEL_FIELDS.has(this.#settings.field);
    this.#keepsEvents = keepsEvents(logger.levels);
  }

  /** Runs a request's handling in its context; a request that already has a record is only run. */
  request(req: IncomingMessage, res: ServerResponse, run: () => void): void {
    if (requestRecordOf(req) !== undefined) {
      run();
      return;
    }
    const id = this.#idOf(req);
    giveRequestId(req, id);
    if (!res.headersSent) giveHeader(res, this.#settings.header, id);
    const record = this.#begin(req, id, res);
    if (record.isLogged) watchResponse(res, req.socket, record);
    bindEvents(req, record);
    bindEvents(res, record);
    runWork(record, run);
  }

  /** The same for a connection that is handed over, by an upgrade or CONNECT. */
  upgrade(req: IncomingMessage, socket: Duplex, run: () => void): void {
    if (requestRecordOf(req) !== undefined) {
      run();
      return;
    }
    const record = this.#begin(req, this.#idOf(req));
    if (record.isLogged) watchUpgrade(socket, record);
    bindEvents(socket, record);
    runWork(record, run);
  }

  /** Counts a request that Node's HTTP parser refuses. */
  refuse(error: unknown): void {
    this.refused?.add(error);
  }

  #begin(req: IncomingMessage, id: string, res?: ServerResponse): HttpRecord {
    const { field, fields, rules, probePaths, startLog, reqLog } = this.#settings;
    const trace = activeTrace() ?? parseTraceParent(req.headers['traceparent']);
    const found = foundFields(fields, req);
    const record = new HttpRecord(this.#parts, { req, res }, { field, id, trace, found });
    if (this.#namesLevel || found !== undefined) void record.logger;
    const isSilentProbe =
      rules.probes === 'off' && probePaths.size > 0 && probePaths.has(record.path);
    record.isLogged = !isSilentProbe && !this.#isSkipped(req);
    if (this.#keepsEvents && record.isLogged) record.open();
    setRecord(req, record);
    if (reqLog) attachLogger(req);
    // For code that forwards the request.
    req.headers[this.#headerKey] = id;
    if (startLog && record.isLogged) {
      record.logger.write({
        level: Level.Information,
        template: START_TEMPLATE,
        args: [record.method, record.path],
      });
    }
    return record;
  }

  #idOf(req: IncomingMessage): string {
    return acceptedRequestId(req.headers[this.#headerKey]) ?? this.#settings.newId(req);
  }

  #isSkipped(req: IncomingMessage): boolean {
    try {
      return this.#settings.skip?.(req) ?? false;
    } catch {
      return false;
    }
  }
}
