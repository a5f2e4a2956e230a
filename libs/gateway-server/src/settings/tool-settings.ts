import type { GatewaySetting } from './setting.js';

const group = 'Tools for agents (MCP)';

/** Tools of the Model Context Protocol; all of them need `mcp`. */
export const TOOL_SETTINGS = {
  mcp: {
    group,
    kind: 'path',
    value: '[path]',
    standard: '/mcp',
    help: 'serves methods as tools, at this path; default: not served; without a path: /mcp',
  },
  'mcp-tool': {
    group,
    kind: 'texts',
    value: '<method>',
    help: 'methods that are tools without an option: shop.v1.Orders.Get, or all of shop.v1.Orders.*',
  },
  'mcp-list': {
    group,
    kind: 'choice',
    value: '<allowed|all>',
    choices: ['all', 'allowed'],
    help: 'which tools a caller sees; all is for servers that decide alone; default: allowed, which needs jwks',
  },
  'mcp-instructions': {
    group,
    kind: 'text',
    value: '<text>',
    help: 'how the tools are meant to be used together, for the model; default: none',
  },
  'mcp-resource': {
    group,
    kind: 'text',
    value: '<url>',
    help: 'URL of the tools as clients know it, for which they get tokens (RFC 9728); default: none',
  },
  'mcp-authorization-server': {
    group,
    kind: 'texts',
    value: '<url>',
    help: 'where clients get tokens for mcp-resource; default: issuer',
  },
  'mcp-scope': {
    group,
    kind: 'texts',
    value: '<name>',
    help: 'scopes that clients ask for with tokens; default: none are stated',
  },
  'mcp-origin': {
    group,
    kind: 'texts',
    value: '<origin>',
    help: 'pages that may use the tools; default: that of mcp-resource, and of this machine from this machine',
  },
  'mcp-host': {
    group,
    kind: 'texts',
    value: '<name>',
    help: 'hosts that requests may name; default: all, from this machine its own and that of mcp-resource',
  },
  'mcp-sessions': {
    group,
    kind: 'count',
    min: 0,
    value: '<count>',
    help: 'sessions of clients of older revisions at a time; 0 serves them without; default: 10000',
  },
  'mcp-sessions-per-caller': {
    group,
    kind: 'count',
    min: 1,
    value: '<count>',
    help: 'sessions of one caller at a time; default: 100',
  },
  'mcp-session-timeout': {
    group,
    kind: 'duration',
    value: '<duration>',
    help: 'how long a session may be unused; default: 30m',
  },
  'mcp-max-result-bytes': {
    group,
    kind: 'count',
    min: 1,
    value: '<bytes>',
    help: 'largest answer of a tool; default: 1048576',
  },
} as const satisfies Readonly<Record<string, GatewaySetting>>;
