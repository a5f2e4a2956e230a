import type { IncomingMessage } from 'node:http';
import type { Mistakes } from '@apix/contracts';
import { callable, FLAG, option } from '../options/option.js';
import { type OptionTable, readOptions } from '../options/option-table.js';
import {
  DOOR_OPTIONS,
  type DoorOptions,
  type DoorSettings,
  doorSettings,
} from '../request/door-options.js';

/** Options of the events of HTTP requests. */
export interface HttpLogOptions extends DoorOptions {
  /** Header that brings the request's id and takes it back. Default: `'X-Request-Id'`. */
  readonly header?: string | undefined;
  /**
   * Requests for which it is true produce no request events; what their handlers log is logged.
   * When it throws the request is logged. Default: none.
   */
  readonly skip?: ((request: IncomingMessage) => boolean) | undefined;
  /**
   * Also logs the start of each request, when it is not known yet which endpoint will answer: of
   * probes too, unless `skipProbes` lists their path. Default: false.
   */
  readonly startLog?: boolean | undefined;
}

/** The same, checked and with every default. */
export interface HttpLogSettings extends DoorSettings {
  readonly header: string;
  readonly skip: ((request: IncomingMessage) => boolean) | undefined;
  readonly startLog: boolean;
}

/** RFC 9110, section 5.6.2: a token. */
const HEADER_NAME = /^[\w!#$%&'*+\-.^`|~]+$/;

/** What each option of the events of HTTP requests may be. */
export const HTTP_LOG_OPTIONS = {
  ...DOOR_OPTIONS,
  header: option<string>(
    'the name of an HTTP header',
    (value) => typeof value === 'string' && HEADER_NAME.test(value),
    { type: 'string', pattern: HEADER_NAME.source },
  ),
  skip: callable<(request: IncomingMessage) => boolean>(),
  startLog: FLAG,
} satisfies OptionTable<HttpLogOptions>;

/** @param at where the options are, for the mistakes: empty, or such as `http`. */
export function readHttpOptions(
  options: HttpLogOptions | undefined,
  at: string,
  mistakes: Mistakes,
): HttpLogSettings {
  const read = readOptions(HTTP_LOG_OPTIONS, options, at, mistakes);
  const { header = 'X-Request-Id', skip, startLog = false } = read;
  return { ...doorSettings(read), header, skip, startLog };
}
