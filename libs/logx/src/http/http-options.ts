import type { IncomingMessage } from 'node:http';
import type { DoorOptions } from '../request/door-options.js';

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
