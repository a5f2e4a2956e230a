import { type Duration, shownValue } from '@apix/contracts';
import {
  arrayOf,
  duration,
  DURATION,
  FLAG,
  type Option,
  orFalse,
  type OptionTable,
  parsedOption,
  type ReadOptions,
  required,
  section,
  TEXT,
  wholeNumber,
  withDefault,
} from '@apix/contracts/internal';

/** Of clients of the revisions before 2026-07-28. */
export interface McpSessionOptions {
  /** How many there may be; the one that was not used for longest ends for a new one. Default: 10000. */
  readonly max?: number;
  /** How many one caller may have; its own oldest one ends for a new one. Default: 100. */
  readonly maxPerCaller?: number;
  /** How long one may be unused. Default: '30m'. */
  readonly timeout?: Duration;
}

/** How clients get a token (RFC 9728). */
export interface McpAuthorizationOptions {
  /** The URL of the endpoint as clients know it, such as `https://api.example.com/mcp`: the audience of tokens. Required. */
  readonly resource: string;
  /** The issuers of tokens, as URLs. Required. */
  readonly authorizationServers: readonly string[];
  /** The scopes that a token for the tools needs. Default: not stated. */
  readonly scopes?: readonly string[];
  /** A page for people about the endpoint. Default: none. */
  readonly documentation?: string;
}

export interface McpOptions {
  /** Where it is served; in a Nest app below the global prefix. Default: `/mcp`. */
  readonly path?: string;
  /** The name of the server, for clients. Default: `apix`. */
  readonly name?: string;
  /** The version of the server, for clients. Default: `1.0.0`. */
  readonly version?: string;
  /** How the tools are meant to be used together; clients give it to their model. Default: none. */
  readonly instructions?: string;
  /** Web pages that may send requests, as origins such as `https://example.com`. Default: those of `authorization.resource`, and of this machine where the connection comes from it. */
  readonly allowedOrigins?: readonly string[];
  /**
   * Host names that requests may be for, without ports. Default: on connections from this machine those of this machine
   * and of `authorization.resource`, on other connections all.
   */
  readonly allowedHosts?: readonly string[];
  /** HTTP headers that become metadata of calls, besides `authorization`, `accept-language` and those of traces. Default: none. */
  readonly forwardHeaders?: readonly string[];
  /** The largest request body, in bytes. Default: 1 MiB. */
  readonly maxBodyBytes?: number;
  /** The limit of all request bodies together that wait to be read to their end, in bytes. Default: 8 MiB. */
  readonly maxBodyBytesInAll?: number;
  /** How long a request may take to send its body. Default: '30s'. */
  readonly bodyTimeout?: Duration;
  /** How deep messages in arguments may be nested. Default: 100. */
  readonly maxDepth?: number;
  /** The deadline of a call. A stream that has not ended by then is answered with what it has sent. Default: '30s'. */
  readonly timeout?: Duration;
  /** The largest answer, as JSON in bytes; of a stream, its last answers together. Default: 1 MiB. */
  readonly maxResultBytes?: number;
  /** How many of the last answers of a stream are its result. Default: 100. */
  readonly maxStreamAnswers?: number;
  /** Lets the texts of UNKNOWN, INTERNAL and DATA_LOSS errors of the server reach the caller. Default: false. */
  readonly exposeServerErrors?: boolean;
  /** Sessions of clients of the revisions before 2026-07-28; `false` serves them without. Default: with its defaults. */
  readonly sessions?: McpSessionOptions | false;
  /** How long clients may keep the list of tools; the policies count at each call in any case. Default: 0. */
  readonly listTtl?: Duration;
  /** How clients get a token. Default: not stated. */
  readonly authorization?: McpAuthorizationOptions;
}

const MIB = 1024 * 1024;

const PATH: Option<string> = parsedOption((path) => {
  if (typeof path === 'string' && /^(?:\/[\w.~-]+)+$/.test(path)) return path;
  throw new Error(`${shownValue(path)} is not a path such as "/mcp"`);
});

const ORIGIN: Option<string> = parsedOption((origin) => {
  if (typeof origin === 'string' && isOrigin(origin)) return origin;
  throw new Error(`${shownValue(origin)} is not an origin such as "https://example.com"`);
});

const HOST: Option<string> = parsedOption((host) => {
  if (typeof host === 'string' && /^(?:[\w.-]+|\[[\da-f:]+\])$/i.test(host)) {
    return host.toLowerCase();
  }
  throw new Error(`${shownValue(host)} is not the name of a host, without a port`);
});

const HEADER: Option<string> = parsedOption((name) => {
  if (typeof name === 'string' && /^(?!grpc-|x-apix-|mcp-)[\w-]+$/i.test(name)) {
    return name.toLowerCase();
  }
  throw new Error(`${shownValue(name)} is not a header that can be passed on`);
});

const URL_TEXT: Option<string> = parsedOption((text) => {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.hash === '') return text as string;
  throw new Error(`${shownValue(text)} is not a URL such as "https://api.example.com/mcp"`);
});

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}

const SESSION_OPTIONS = {
  max: withDefault(wholeNumber({ min: 1 }), 10_000),
  maxPerCaller: withDefault(wholeNumber({ min: 1 }), 100),
  timeout: withDefault(duration({ min: 1 }), 30 * 60_000),
} satisfies OptionTable<McpSessionOptions>;

const SESSIONS = orFalse(section(SESSION_OPTIONS));

/** The allowed values of each option. */
export const MCP_OPTIONS = {
  path: withDefault(PATH, '/mcp'),
  name: withDefault(TEXT, 'apix'),
  version: withDefault(TEXT, '1.0.0'),
  instructions: TEXT,
  allowedOrigins: arrayOf(ORIGIN),
  allowedHosts: arrayOf(HOST),
  forwardHeaders: withDefault(arrayOf(HEADER), []),
  maxBodyBytes: withDefault(wholeNumber({ min: 1 }), MIB),
  maxBodyBytesInAll: withDefault(wholeNumber({ min: 1 }), 8 * MIB),
  bodyTimeout: withDefault(duration({ min: 1 }), 30_000),
  maxDepth: withDefault(wholeNumber({ min: 1 }), 100),
  timeout: withDefault(duration({ min: 1 }), 30_000),
  maxResultBytes: withDefault(wholeNumber({ min: 1 }), MIB),
  maxStreamAnswers: withDefault(wholeNumber({ min: 1 }), 100),
  exposeServerErrors: withDefault(FLAG, false),
  sessions: {
    ...SESSIONS,
    absent: (at, mistakes) => SESSIONS.read({}, at, mistakes) ?? false,
  } satisfies Option<unknown>,
  listTtl: withDefault(DURATION, 0),
  authorization: section({
    resource: required(URL_TEXT, ''),
    authorizationServers: required(arrayOf(URL_TEXT), []),
    scopes: arrayOf(TEXT),
    documentation: URL_TEXT,
  } satisfies OptionTable<McpAuthorizationOptions>),
} satisfies OptionTable<McpOptions>;

/** {@link McpOptions}, complete and checked; durations in milliseconds. */
export type ResolvedMcpOptions = ReadOptions<typeof MCP_OPTIONS>;
