export { McpConfigError } from './errors.js';
