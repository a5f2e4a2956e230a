import type { Door } from '../site.js';

export const REST: readonly Door[] = ['REST in-process', 'REST over the network'];
export const SOCKETS: readonly Door[] = ['WebSocket', 'WebSocket over the network'];
export const STREAMS: readonly Door[] = ['SSE', 'SSE over the network'];
export const HTTP: readonly Door[] = [...REST, 'HTTP controller'];
export const CONNECT: readonly Door[] = ['Connect', 'Connect over the network'];
export const WEB: readonly Door[] = ['gRPC-Web', 'gRPC-Web over the network'];
/** Servers of HTTP/2: that of gRPC, and that of the gateway. */
export const HTTP2: readonly Door[] = ['gRPC', 'gRPC on the shared port'];
export const TOOLS: readonly Door[] = ['MCP'];
/** Protocols that the gateway serves next to REST. */
export const RPC: readonly Door[] = [...CONNECT, ...WEB, 'gRPC on the shared port'];
export const CALLS: readonly Door[] = [
  'gRPC',
  ...REST,
  ...RPC,
  ...SOCKETS,
  ...STREAMS,
  ...TOOLS,
  'HTTP controller',
];
export const ALL: readonly Door[] = [...CALLS, 'messages'];
