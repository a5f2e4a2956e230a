import { Mistakes, shownValue } from '@apix/contracts';
import type { IncomingMessage } from 'node:http';
import type { IncomingTrace } from '../tracing/tracing.js';

/** Names of headers; case does not matter. */
export interface CapturedHeaders {
  /** Default: none. */
  readonly request?: readonly string[] | undefined;
  /** Default: none. */
  readonly response?: readonly string[] | undefined;
}

/** Options of the spans and metrics of HTTP requests. */
export interface HttpTracingOptions {
  /**
   * Whether a caller's trace is continued: `parent`, its span is the parent and its baggage holds; `link`, each
   * request begins a trace that is linked to the caller's, for servers at the public edge; `ignore`, neither.
   * Default: `'parent'`.
   */
  readonly incoming?: IncomingTrace | undefined;
  /** Requests without a span and without figures; an error of it counts as false. Default: none. */
  readonly skip?: ((req: IncomingMessage) => boolean) | undefined;
  /** Whether requests of health, metrics and docs have spans and are measured. Default: false. */
  readonly infrastructure?: boolean | undefined;
  /** Headers that become attributes; those that carry credentials are refused. Default: none. */
  readonly captureHeaders?: CapturedHeaders | undefined;
  /** Whether `url.query` is an attribute; it may contain private data. Default: false. */
  readonly captureQuery?: boolean | undefined;
}

/** The same, checked and with every default. */
export interface HttpTracingSettings {
  readonly incoming: IncomingTrace;
  readonly skip: ((req: IncomingMessage) => boolean) | undefined;
  readonly infrastructure: boolean;
  /** In lower case. */
  readonly requestHeaders: readonly string[];
  readonly responseHeaders: readonly string[];
  readonly captureQuery: boolean;
}

const CREDENTIALS: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
]);

/** @param at where the options are, for the mistakes: empty, or such as `http`. */
export function readHttpTracing(
  options: HttpTracingOptions,
  at: string,
  mistakes: Mistakes,
): HttpTracingSettings {
  const where = (name: string): string => (at === '' ? name : `${at}.${name}`);
  const { incoming = 'parent', skip, infrastructure = false, captureQuery = false } = options;
  const { request = [], response = [] } = options.captureHeaders ?? {};
  if (skip !== undefined) mistakes.callable(where('skip'), skip);
  return {
    incoming: mistakes.choice(where('incoming'), incoming, ['parent', 'link', 'ignore']),
    skip,
    infrastructure: mistakes.flag(where('infrastructure'), infrastructure),
    requestHeaders: namesOf(request, where('captureHeaders.request'), mistakes),
    responseHeaders: namesOf(response, where('captureHeaders.response'), mistakes),
    captureQuery: mistakes.flag(where('captureQuery'), captureQuery),
  };
}

function namesOf(given: readonly string[], at: string, mistakes: Mistakes): readonly string[] {
  const isRight = Array.isArray(given) && given.every((each) => typeof each === 'string');
  if (!isRight) {
    mistakes.add(at, `must be an array of names of headers, not ${shownValue(given)}`);
    return [];
  }
  const names = given.map((name) => name.toLowerCase());
  for (const name of names.filter((each) => CREDENTIALS.has(each))) {
    mistakes.add(at, `${shownValue(name)} carries credentials; leave it out`);
  }
  return names;
}
