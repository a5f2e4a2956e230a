export { McpEndpoint } from '../http/mcp-endpoint.js';
export { McpConfigError } from '../errors.js';
export type { McpAuthorizationOptions, McpOptions, McpSessionOptions } from '../options.js';
export type { ToolServer } from '../http/tool-service.js';
