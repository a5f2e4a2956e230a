import { CALLER_SETTINGS } from './caller-settings.js';
import type { GatewaySetting, SettingValue } from './setting.js';
import { TOOL_SETTINGS } from './tool-settings.js';

/** Every option of the gateway server, in the order of the help text. */
export const SETTINGS = {
  descriptors: {
    group: 'What is served',
    kind: 'texts',
    value: '<file>',
    help: 'binary FileDescriptorSets, as of buf build -o; default: what the server says by reflection',
  },
  protocols: {
    group: 'What is served',
    kind: 'choices',
    value: '<name>',
    choices: ['rest', 'connect', 'grpc-web', 'grpc'],
    help: 'what callers may speak: rest, connect, grpc-web, grpc (which needs --http2); default: rest',
  },
  rules: {
    group: 'What is served',
    kind: 'text',
    value: '<file>',
    help: 'HTTP rules by selector, as YAML or JSON: a list, or a google.api.Service with http.rules',
  },
  unbound: {
    group: 'What is served',
    kind: 'flag',
    help: 'serves methods without a rule as REST too, as POST /<package>.<Service>/<Method>',
  },
  exclude: {
    group: 'What is served',
    kind: 'texts',
    value: '<method>',
    help: 'leaves out shop.v1.Orders.Cancel, or all of shop.v1.Orders.*, whatever is wrong with their rules',
  },
  mount: {
    group: 'What is served',
    kind: 'text',
    value: '<path>',
    help: 'path before the paths of the rules; default: /',
  },
  refresh: {
    group: 'What is served',
    kind: 'duration',
    value: '<duration>',
    help: 'how often descriptors and rules are read again; default: on SIGHUP alone',
  },
  backend: {
    group: 'The gRPC server',
    kind: 'text',
    value: '<host:port>',
    help: 'the server that is called; required',
  },
  'backend-tls': {
    group: 'The gRPC server',
    kind: 'flag',
    help: 'calls it by TLS, trusting the authorities that Node brings along',
  },
  'backend-ca': {
    group: 'The gRPC server',
    kind: 'text',
    value: '<file>',
    help: 'calls it by TLS, trusting the authorities in this PEM file',
  },
  'backend-cert': {
    group: 'The gRPC server',
    kind: 'text',
    value: '<file>',
    help: 'certificate that the gateway shows to it (mutual TLS)',
  },
  'backend-key': {
    group: 'The gRPC server',
    kind: 'text',
    value: '<file>',
    help: 'key of that certificate',
  },
  'backend-name': {
    group: 'The gRPC server',
    kind: 'text',
    value: '<name>',
    help: 'name in its certificate, where that is not its host name',
  },
  'backend-health': {
    group: 'The gRPC server',
    kind: 'choice',
    value: '<check|connect>',
    choices: ['check', 'connect'],
    help: 'whether readiness asks grpc.health.v1, where it is served, or needs a connection alone; default: check',
  },
  'connect-timeout': {
    group: 'The gRPC server',
    kind: 'duration',
    value: '<duration>',
    help: 'how long calls wait for a connection; default: 20s',
  },
  ...CALLER_SETTINGS,
  listen: {
    group: 'Requests',
    kind: 'text',
    value: '<[host:]port>',
    help: 'where requests are taken; default: 8080, on every address',
  },
  'tls-cert': {
    group: 'Requests',
    kind: 'text',
    value: '<file>',
    help: 'certificate shown to callers, as PEM; makes it HTTPS',
  },
  'tls-key': {
    group: 'Requests',
    kind: 'text',
    value: '<file>',
    help: 'key of that certificate',
  },
  'tls-client-ca': {
    group: 'Requests',
    kind: 'text',
    value: '<file>',
    help: 'authorities that certificates of callers must come from (mutual TLS)',
  },
  http2: {
    group: 'Requests',
    kind: 'flag',
    help: 'accepts HTTP/2 in addition to HTTP/1, on the same port',
  },
  timeout: {
    group: 'Requests',
    kind: 'duration',
    value: '<duration>',
    help: 'deadline of unary calls without Grpc-Timeout; default: 30s',
  },
  'max-timeout': {
    group: 'Requests',
    kind: 'duration',
    value: '<duration>',
    help: 'longest deadline that a caller may ask for; default: none',
  },
  'max-body-bytes': {
    group: 'Requests',
    kind: 'count',
    min: 0,
    value: '<bytes>',
    help: 'largest request body; default: 4194304',
  },
  compress: {
    group: 'Requests',
    kind: 'flag',
    help: 'compresses responses, where callers accept it',
  },
  'forward-header': {
    group: 'Requests',
    kind: 'texts',
    value: '<name>',
    help: 'request headers that become metadata of the same name',
  },
  'trust-proxy': {
    group: 'Requests',
    kind: 'texts',
    value: '<count|network>',
    help: 'proxies whose X-Forwarded-For is believed; default: none',
  },
  'cors-origin': {
    group: 'Requests',
    kind: 'texts',
    value: '<origin|*>',
    help: 'pages that may read answers (CORS); default: none',
  },
  'cors-credentials': {
    group: 'Requests',
    kind: 'flag',
    help: 'lets those pages send cookies and client certificates',
  },
  websockets: {
    group: 'Requests',
    kind: 'flag',
    help: 'serves streams of requests over WebSockets',
  },
  ...TOOL_SETTINGS,
  title: {
    group: 'Pages',
    kind: 'text',
    value: '<text>',
    help: 'title of the API; default: the name of its package',
  },
  'api-version': {
    group: 'Pages',
    kind: 'text',
    value: '<text>',
    help: 'version of the API; default: 0.0.0',
  },
  docs: {
    group: 'Pages',
    kind: 'text',
    value: '<path|off>',
    help: 'the docs page; default: /docs',
  },
  openapi: {
    group: 'Pages',
    kind: 'text',
    value: '<path|off>',
    help: 'the OpenAPI document; default: /openapi.json',
  },
  'who-may-call': {
    group: 'Pages',
    kind: 'flag',
    help: 'both say who may call each method: their readers learn roles and conditions',
  },
  metrics: {
    group: 'Pages',
    kind: 'text',
    value: '<path|off>',
    help: 'figures for Prometheus; default: /metrics',
  },
  'admin-listen': {
    group: 'Pages',
    kind: 'text',
    value: '<[host:]port>',
    help: 'serves health and metrics here, and no longer where requests are taken',
  },
  'log-level': {
    group: 'The process',
    kind: 'choice',
    value: '<level>',
    choices: ['verbose', 'debug', 'information', 'warning', 'error', 'fatal'],
    help: 'verbose, debug, information, warning, error or fatal; default: information',
  },
  'log-format': {
    group: 'The process',
    kind: 'choice',
    value: '<json|console|ecs|otel>',
    choices: ['json', 'console', 'ecs', 'otel'],
    help: 'default: console in a terminal, else json',
  },
  'drain-delay': {
    group: 'The process',
    kind: 'duration',
    value: '<duration>',
    help: 'how long requests are taken after SIGTERM; default: 5s',
  },
  'shutdown-timeout': {
    group: 'The process',
    kind: 'duration',
    value: '<duration>',
    help: 'how long the whole stop may take; default: 30s',
  },
} as const satisfies Readonly<Record<string, GatewaySetting>>;

export type SettingName = keyof typeof SETTINGS;

/** Every setting with its value; undefined or empty if none was given. */
export type GatewaySettings = {
  readonly [N in SettingName]: SettingValue<(typeof SETTINGS)[N]>;
};

/** A value as it was given, and the name of its place in mistakes. */
export interface Given {
  readonly value: unknown;
  readonly place: string;
}

/** The given values, by the name of the setting. */
export type GivenSettings = ReadonlyMap<SettingName, Given>;

/** Whether a string is the name of a setting. */
export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(SETTINGS, name);
}
