/** Why: docs/decisions/0240 */
export { WebSocketServer } from 'ws';
