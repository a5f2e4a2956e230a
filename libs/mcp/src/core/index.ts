export { McpEndpoint } from '../http/mcp-endpoint.js';
export { ToolBook } from '../tools/tool-book.js';
export { tool, tools } from '../gen/apix/mcp/mcp_pb.js';
export { McpConfigError } from '../errors.js';
export type { McpAuthorizationOptions, McpOptions, McpSessionOptions } from '../options.js';
export type { ToolServer } from '../http/tool-service.js';
