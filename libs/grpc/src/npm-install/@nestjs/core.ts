/** Why: docs/decisions/0240 */
export { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
