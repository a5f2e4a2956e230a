import type { IncomingMessage } from 'node:http';
import type { Mistakes } from '@apix/contracts';
import { callable, FLAG, option, type OptionTable, readOptions } from '@apix/contracts/internal';
import {
  CHOSEN_HEADERS,
  DOOR_OPTIONS,
  type DoorOptions,
  type DoorSettings,
  doorSettings,
  PATHS,
  refuseBothProbes,
} from '../request/door-options.js';
import type { ChosenHeaders } from '../request/header-fields.js';
import { levelTable } from '../request/level-table.js';
import type { RequestLevel } from '../request/request-level.js';
import { safely } from '../value/safely.js';
import type { HttpOutcome } from './http-outcome.js';

/** A status, or a class of statuses. */
export type HttpStatusKey = number | '1xx' | '2xx' | '3xx' | '4xx' | '5xx';

/** Options of the events of HTTP requests. */
export interface HttpLogOptions extends DoorOptions {
  /** Header that contains the request's id, and returns it in the response. Default: `'X-Request-Id'`. */
  readonly header?: string | undefined;
  /**
   * Creates an id for a request without a usable one. If it throws, or returns an id that is not 1 to 128
   * visible ASCII characters, `newId()` is used. Default: `newId`.
   */
  readonly idGenerator?: ((request: IncomingMessage) => string) | (() => string) | undefined;
  /**
   * Requests for which it returns true get no request events; events of their handlers are still logged. If
   * it throws, the request is logged. Default: none.
   */
  readonly skip?: ((request: IncomingMessage) => boolean) | undefined;
  /**
   * Also logs the start of each request, when the endpoint that will answer is not known yet: also for
   * probes, unless they are `off` and `probePaths` contains their path. Default: false.
   */
  readonly startLog?: boolean | undefined;
  /** Paths that are probes, in addition to those of infrastructure endpoints. Default: none. */
  readonly probePaths?: readonly string[] | undefined;
  /**
   * Levels by status, `{ 404: 'information', '4xx': 'warning', 304: 'off' }`, where a status takes
   * precedence over its class, or a function of the request's outcome; if it throws, the level stays as it
   * is. Default: error for 5xx, warning for 4xx, else information.
   */
  readonly levels?:
    | Readonly<Partial<Record<HttpStatusKey, RequestLevel>>>
    | ((outcome: HttpOutcome) => RequestLevel | undefined)
    | undefined;
  /**
   * Finds fields of all events of a request. Called at its start, and again at its end, whose event has the
   * fields found then, such as `request.user`. If it throws, nothing is added. Default: none.
   */
  readonly fields?:
    ((request: IncomingMessage) => Readonly<Record<string, unknown>> | undefined) | undefined;
  /**
   * Headers of the request that its event has as `request_headers`: `'all'`, or those with these names.
   * Headers that carry secrets, such as `authorization` and `cookie`, are logged without their values.
   * Default: none.
   */
  readonly requestHeaders?: ChosenHeaders | undefined;
  /** The same for the response, as `response_headers`. Default: none. */
  readonly responseHeaders?: ChosenHeaders | undefined;
  /** Gives each raw request the property `log`, its logger. Default: false. */
  readonly reqLog?: boolean | undefined;
}

/** The same, checked and with every default. */
export interface HttpLogSettings extends DoorSettings<IncomingMessage, HttpOutcome> {
  readonly header: string;
  readonly skip: ((request: IncomingMessage) => boolean) | undefined;
  readonly startLog: boolean;
  readonly requestHeaders: ChosenHeaders | undefined;
  readonly responseHeaders: ChosenHeaders | undefined;
  readonly reqLog: boolean;
}

/** RFC 9110, section 5.6.2: a token. */
const HEADER_NAME = /^[\w!#$%&'*+\-.^`|~]+$/;

/** The allowed values of each option of the events of HTTP requests. */
export const HTTP_LOG_OPTIONS = {
  ...DOOR_OPTIONS,
  header: option<string>(
    'the name of an HTTP header',
    (value) => typeof value === 'string' && HEADER_NAME.test(value),
    { type: 'string', pattern: HEADER_NAME.source },
  ),
  idGenerator: callable<(request: IncomingMessage) => string>(),
  skip: callable<(request: IncomingMessage) => boolean>(),
  startLog: FLAG,
  probePaths: PATHS,
  levels: levelTable<HttpOutcome>({
    wanted: 'a status, such as 404 or "4xx"',
    isKey: (key) => /^[1-5](?:\d\d|xx)$/.test(key),
    keysOf: ({ status }) => [String(status), `${Math.trunc(status / 100)}xx`],
  }),
  fields: callable<(request: IncomingMessage) => Readonly<Record<string, unknown>> | undefined>(),
  requestHeaders: CHOSEN_HEADERS,
  responseHeaders: CHOSEN_HEADERS,
  reqLog: FLAG,
} satisfies OptionTable<HttpLogOptions>;

/** @param at the path of the options, for the mistakes: empty, or such as `http`. */
export function readHttpOptions(
  options: HttpLogOptions | undefined,
  at: string,
  mistakes: Mistakes,
): HttpLogSettings {
  const read = readOptions(HTTP_LOG_OPTIONS, options === undefined ? {} : options, at, mistakes);
  refuseBothProbes(read, at, mistakes);
  const { header = 'X-Request-Id', skip, startLog = false, reqLog = false } = read;
  const { requestHeaders, responseHeaders } = read;
  return {
    ...doorSettings(read, read),
    header,
    skip:
      skip &&
      ((request) =>
        safely(
          () => skip(request),
          () => false,
        )),
    startLog,
    requestHeaders,
    responseHeaders,
    reqLog,
  };
}
