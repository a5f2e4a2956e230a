import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Mistakes, shownValue } from '@apix/contracts';
import {
  nearestName,
  anyValue,
  type AnyTable,
  arrayOf,
  type Option,
  option,
  type OptionTable,
  parsedOption,
  readOptions,
  type ReadOptions,
  TEXT,
  withDefault,
} from '@apix/contracts/internal';
import {
  PROTOCOLS,
  type GatewayProtocol,
  type ProtocolName,
  type ServedProtocols,
} from './protocols/protocol.js';
import { resolveTranscoding, TRANSCODING_OPTIONS, type TranscodingOptions } from '../options.js';
import type { HttpRuleInit } from '../rules/extra-rules.js';
import { MountPoint } from './mount-point.js';
import type { WebSocketSupport } from './websocket-door.js';

/** The function `next` of Connect and Express. */
export type Next = (error?: unknown) => void;

/** A request handler of node:http, Connect, Express or middie. */
export type RequestHandler = (req: IncomingMessage, res: ServerResponse, next?: Next) => void;

/** Connect-style middleware, such as that of the `cors` package. */
export type Middleware = (req: IncomingMessage, res: ServerResponse, next: Next) => unknown;

export interface GatewayOptions extends TranscodingOptions {
  /**
   * What the gateway speaks: `rest`, by the HTTP rules of methods; and `connect`, `grpc-web` and `grpc`, at
   * `/<package.Service>/<Method>` for every method of the descriptors, whether or not it has a rule. gRPC needs a
   * server that speaks HTTP/2. A protocol of your own is served at the same paths. Default: `['rest']`.
   */
  readonly protocols?: readonly (ProtocolName | GatewayProtocol)[];
  /** The path under which the rules' own paths begin, and those of methods. Default: `/`. */
  readonly mount?: string;
  /**
   * HTTP rules for methods by name, for .proto files that are not yours to annotate. A rule here replaces
   * the method's own. Default: none.
   */
  readonly rules?: readonly HttpRuleInit[];
  /**
   * Methods that are not served, by name: `shop.v1.Orders.Cancel`, `shop.v1.Orders.*`, `shop.v1.*`. Mistakes in
   * their rules do not count, so that one rule of somebody else's .proto files does not stop the rest. A name that
   * means no method is refused. Default: none.
   */
  readonly exclude?: readonly string[];
  /**
   * Runs in this order around every request whose path is the gateway's, also those with a
   * path or method that is not served: CORS, logging, limits. Default: none.
   */
  readonly middleware?: readonly Middleware[];
  /**
   * Serves methods with a stream of requests over WebSockets: `webSockets()` of `@apix/gateway/websocket`.
   * Default: none; such methods answer 501.
   */
  readonly webSockets?: WebSocketSupport;
}

/** What was found before a gateway reads its options. */
export interface FoundBefore {
  readonly mistakes?: Mistakes | undefined;
  /** Further options that are allowed. */
  readonly more?: AnyTable | undefined;
  /** Whether there may be no rule, as methods are served in another way too. Default: false. */
  readonly mayBeEmpty?: boolean | undefined;
}

const MIDDLEWARE: Option<readonly Middleware[]> = parsedOption((value) => {
  if (Array.isArray(value) && value.every((it) => typeof it === 'function')) return value;
  throw new Error('must be a list of functions');
});

type AnyProtocol = ProtocolName | GatewayProtocol;

const PROTOCOL: Option<AnyProtocol> = {
  schema: { enum: PROTOCOLS },
  read(value, at, mistakes) {
    if (isBuiltIn(value)) return value;
    if (isOwn(value)) {
      if (!isBuiltIn(value.name)) return value;
      mistakes.add(at, `a protocol of your own cannot be called "${value.name}"`);
      return undefined;
    }
    const meant = typeof value === 'string' ? nearestName(value, PROTOCOLS) : undefined;
    const remedy =
      meant === undefined ? `use one of ${PROTOCOLS.join(', ')}` : `did you mean ${meant}?`;
    mistakes.add(at, `${shownValue(value)} is not a protocol of the gateway; ${remedy}`);
    return undefined;
  },
};

function isBuiltIn(value: unknown): value is ProtocolName {
  return PROTOCOLS.includes(value as ProtocolName);
}

function isOwn(value: unknown): value is GatewayProtocol {
  const { name, mediaTypes, read } = (value ?? {}) as Partial<Record<string, unknown>>;
  return (
    typeof name === 'string' &&
    name !== '' &&
    typeof mediaTypes === 'function' &&
    typeof read === 'function'
  );
}

const PROTOCOL_LIST = arrayOf(PROTOCOL);

const GATEWAY_OPTIONS = {
  ...TRANSCODING_OPTIONS,
  protocols: withDefault(PROTOCOL_LIST, ['rest']),
  mount: withDefault(anyValue<string>(), '/'),
  // Read with the descriptors that they are for.
  rules: anyValue<readonly HttpRuleInit[]>(),
  exclude: withDefault(arrayOf(TEXT), []),
  middleware: withDefault(MIDDLEWARE, []),
  webSockets: option<WebSocketSupport>(
    'webSockets() of @apix/gateway/websocket',
    (value) => typeof value === 'function',
  ),
} satisfies OptionTable<GatewayOptions>;

/** The protocols that options name; what is wrong with them is found by {@link resolveGatewayOptions}. */
export function protocolsIn({ protocols = ['rest'] }: GatewayOptions): ServedProtocols {
  const given: readonly unknown[] = Array.isArray(protocols) ? protocols : [];
  const own = given.filter(isOwn);
  const names = [...PROTOCOLS.filter((name) => given.includes(name)), ...own.map((it) => it.name)];
  return { names: new Set(names), own };
}

/** What the options say apart from rules. */
export function resolveGatewayOptions(
  options: GatewayOptions,
  mistakes: Mistakes,
  more: AnyTable = {},
) {
  const table = { ...more, ...GATEWAY_OPTIONS };
  const read: ReadOptions<typeof GATEWAY_OPTIONS> = readOptions(table, options, '', mistakes);
  if (Array.isArray(options.protocols) && options.protocols.length === 0) {
    mistakes.add('protocols', `must have at least one of ${PROTOCOLS.join(', ')}`);
  }
  const { own } = protocolsIn(options);
  const ownNames = new Set(own.map(({ name }) => name));
  if (ownNames.size < own.length) {
    mistakes.add('protocols', 'two protocols of your own have the same name');
  }
  return {
    transcoding: resolveTranscoding(read, mistakes),
    mountPoint: MountPoint.read(read.mount, mistakes),
    middleware: read.middleware,
  };
}
