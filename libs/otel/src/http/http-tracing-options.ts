import { shownValue } from '@apix/contracts';
import {
  arrayOf,
  callable,
  filledSection,
  FLAG,
  type Option,
  type OptionTable,
  type ReadOptions,
  STRING,
  withDefault,
} from '@apix/contracts/internal';
import type { IncomingMessage } from 'node:http';
import { INCOMING } from '../tracing/option-kinds.js';
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

const CREDENTIALS: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
]);

const HEADERS: Option<readonly string[]> = {
  schema: undefined,
  read(value, at, mistakes) {
    const given = arrayOf(STRING, 'an array of names of headers').read(value, at, mistakes);
    const names = given?.map((name) => name.toLowerCase());
    for (const name of names?.filter((each) => CREDENTIALS.has(each)) ?? []) {
      mistakes.add(at, `${shownValue(name)} carries credentials; leave it out`);
    }
    return names;
  },
};

const CAPTURED = {
  request: withDefault(HEADERS, []),
  response: withDefault(HEADERS, []),
} satisfies OptionTable<CapturedHeaders>;

/** The allowed values of the options of HTTP requests. */
export const HTTP_TRACING_OPTIONS = {
  incoming: withDefault(INCOMING, 'parent'),
  skip: callable<(req: IncomingMessage) => boolean>(),
  infrastructure: withDefault(FLAG, false),
  captureHeaders: filledSection(CAPTURED),
  captureQuery: withDefault(FLAG, false),
} satisfies OptionTable<HttpTracingOptions>;

/** The options, read, with every default; names of headers in lower case. */
export type HttpTracingSettings = ReadOptions<typeof HTTP_TRACING_OPTIONS>;
