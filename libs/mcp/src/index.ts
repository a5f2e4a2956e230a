export { McpModule } from './nest/mcp.module.js';
export { MCP_MODULE_OPTIONS } from './nest/mcp.module.js';
export { McpEndpoint } from './http/mcp-endpoint.js';
export { ToolBook } from './tools/tool-book.js';
export { McpConfigError } from './errors.js';
export type { McpAuthorizationOptions, McpOptions, McpSessionOptions } from './options.js';
export type { ToolServer } from './http/tool-service.js';
