import type { IncomingMessage } from 'node:http';
import { type Mistakes, shownValue } from '@apix/contracts';
import {
  checkFunction,
  type DoorOptions,
  type DoorSettings,
  objectOr,
  readDoorOptions,
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

/** @param at where the options are, for the mistakes: empty, or such as `http`. */
export function readHttpOptions(
  options: HttpLogOptions | undefined,
  at: string,
  mistakes: Mistakes,
): HttpLogSettings {
  const given = objectOr(options, at, mistakes);
  const inside = at && `${at}.`;
  const { header = 'X-Request-Id', skip, startLog = false } = given;
  if (typeof header !== 'string' || !HEADER_NAME.test(header)) {
    const what = `must be the name of an HTTP header, not ${shownValue(header)}`;
    mistakes.add(`${inside}header`, what);
  }
  checkFunction(`${inside}skip`, skip, mistakes);
  return {
    ...readDoorOptions(given, inside, mistakes),
    header,
    skip,
    startLog: mistakes.flag(`${inside}startLog`, startLog),
  };
}
