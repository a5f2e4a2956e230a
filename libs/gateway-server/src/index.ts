export { gatewayCommand } from './cli/gateway-command.js';
export { GatewayServerError } from './errors.js';
export type { GatewayCommandIo } from './cli/gateway-command.js';
