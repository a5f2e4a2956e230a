import type { IncomingMessage, ServerResponse } from 'node:http';
import { markInfrastructureRequest, shownValue } from '@apix/contracts';
import {
  messageReplacer,
  sendResponse,
  targetOf,
  type AnyTable,
  callable,
  checkedOptions,
  FLAG,
  type Option,
  type OptionTable,
  parsedOption,
  shaped,
  withDefault,
  refusesType,
} from '@apix/contracts/internal';
import { mistakesIn } from '../errors.js';
import type { HealthReport } from './check-run.js';

/** Whether a request may see the checks; others get only the status. */
export type ShowDetails = boolean | ((request: IncomingMessage) => boolean);

export interface HealthHandlerOptions {
  /**
   * Whether to show the single checks, whose error texts may name hosts and users. A function decides by
   * request; one that throws hides them. Default: true.
   */
  readonly details?: ShowDetails;
}

export interface HealthPaths {
  /** Default: '/healthz'. */
  readonly livePath?: string;
  /** Default: '/readyz'. */
  readonly readyPath?: string;
  /** Default: '/startupz'. */
  readonly startupPath?: string;
}

export interface HealthMountOptions extends HealthPaths, HealthHandlerOptions {}

/** A plain Node handler that is a middleware too: without `next` it refuses other paths. */
export type HealthHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next?: () => void,
) => void;

const CONTENT_TYPE = 'application/json; charset=utf-8';

/** Serves one report, at any path. */
export function reportHandler(
  report: () => Promise<HealthReport>,
  { details = true }: HealthHandlerOptions,
): HealthHandler {
  return (request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      if (next !== undefined) next();
      else sendResponse(response, 405, { allow: 'GET, HEAD' });
      return;
    }
    markInfrastructureRequest(request);
    void answer(report, details, request, response);
  };
}

async function answer(
  report: () => Promise<HealthReport>,
  details: ShowDetails,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const whole = await report();
  const status = whole.status === 'ok' ? 200 : 503;
  if (refusesType(request.headers.accept, CONTENT_TYPE)) {
    // What a probe asks for is in the status.
    sendResponse(response, status, { 'cache-control': 'no-store' });
    return;
  }
  const shown = isShown(details, request) ? whole : { ...whole, checks: {} };
  const body = JSON.stringify(shown, messageReplacer());
  const headers = {
    'content-type': CONTENT_TYPE,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
  };
  sendResponse(response, status, headers, body);
}

/** Serves each path by its handler; anything else is passed on, or not found. */
export function byPath(handlers: ReadonlyMap<string, HealthHandler>): HealthHandler {
  return (request, response, next) => {
    const handler = handlers.get(targetOf(request).path);
    if (handler !== undefined) handler(request, response, next);
    else if (next !== undefined) next();
    else sendResponse(response, 404);
  };
}

const PATH: Option<string> = parsedOption((path) => {
  if (typeof path === 'string' && /^\/[^?#\s]*$/.test(path)) return path;
  throw new Error(`${shownValue(path)} is not a path: it must start with "/"`);
});

const PATHS = {
  livePath: withDefault(PATH, '/healthz'),
  readyPath: withDefault(PATH, '/readyz'),
  startupPath: withDefault(PATH, '/startupz'),
} satisfies OptionTable<HealthPaths>;

const HANDLER = {
  details: shaped<ShowDetails>((value) => (typeof value === 'function' ? callable() : FLAG)),
} satisfies OptionTable<HealthHandlerOptions>;

/** The allowed values of what is served, and to whom. */
export const HEALTH_MOUNT = { ...PATHS, ...HANDLER } satisfies OptionTable<HealthMountOptions>;

/** @throws HostError for wrong options. */
export function checkHandlerOptions(options: HealthHandlerOptions): void {
  checkedOptions(HANDLER, options, mistakesIn('health'));
}

/**
 * The paths to serve, checked.
 *
 * @param more further options that are allowed.
 * @throws HostError for wrong options, and for a path given twice.
 */
export function resolvePaths(
  options: HealthMountOptions,
  more: AnyTable = {},
): Required<HealthPaths> {
  const read = checkedOptions(
    { ...more, ...HEALTH_MOUNT },
    options,
    mistakesIn('health'),
    ({ livePath, readyPath, startupPath }, mistakes) => {
      const known = new Map<string, string>();
      for (const [option, path] of Object.entries({ livePath, readyPath, startupPath })) {
        const other = known.get(path);
        if (other !== undefined) {
          mistakes.add(option, `must differ from ${other}, ${shownValue(path)}`);
        }
        known.set(path, option);
      }
    },
  );
  const { livePath, readyPath, startupPath } = read;
  return { livePath, readyPath, startupPath };
}

function isShown(details: ShowDetails, request: IncomingMessage): boolean {
  if (typeof details === 'boolean') return details;
  try {
    // A promise, from a JavaScript caller, is not a yes.
    return (details(request) as unknown) === true;
  } catch {
    return false;
  }
}
