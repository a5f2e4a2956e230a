import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  Mistakes,
  endResponse,
  markInfrastructureRequest,
  shownValue,
  targetOf,
} from '@apix/contracts';
import { mistakenIn } from '../errors.js';
import type { HealthReport } from './health-report.js';

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

/** Serves one report, at any path. */
export function reportHandler(
  report: () => Promise<HealthReport>,
  { details = true }: HealthHandlerOptions,
): HealthHandler {
  return (request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      if (next !== undefined) next();
      else endResponse(response.writeHead(405, { allow: 'GET, HEAD' }));
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
  const shown = isShown(details, request) ? whole : { ...whole, checks: {} };
  const body = JSON.stringify(shown);
  response.writeHead(whole.status === 'ok' ? 200 : 503, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
  });
  endResponse(response, body);
}

/** Serves each path by its handler; anything else is passed on, or not found. */
export function byPath(handlers: ReadonlyMap<string, HealthHandler>): HealthHandler {
  return (request, response, next) => {
    const handler = handlers.get(targetOf(request).path);
    if (handler !== undefined) handler(request, response, next);
    else if (next !== undefined) next();
    else endResponse(response.writeHead(404));
  };
}

/**
 * The paths to serve, checked. @throws HostError for a value that is not a path, and for a path given
 * twice.
 */
export function resolvePaths(paths: HealthPaths): Required<HealthPaths> {
  const resolved = {
    livePath: paths.livePath ?? '/healthz',
    readyPath: paths.readyPath ?? '/readyz',
    startupPath: paths.startupPath ?? '/startupz',
  };
  const mistakes = new Mistakes();
  const known = new Map<string, string>();
  for (const [option, path] of Object.entries(resolved)) {
    if (typeof path !== 'string' || !/^\/[^?#\s]*$/.test(path)) {
      mistakes.add(option, `${shownValue(path)} is not a path: it must start with "/"`);
      continue;
    }
    const other = known.get(path);
    if (other !== undefined) mistakes.add(option, `must differ from ${other}, ${shownValue(path)}`);
    known.set(path, option);
  }
  mistakes.throwIfAny(mistakenIn('health'));
  return resolved;
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
