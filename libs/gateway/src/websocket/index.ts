export { webSockets } from '../http/websocket/web-sockets.js';
export type { AllowedOrigins } from '../http/websocket/handshake.js';
export type { WebSocketOptions } from '../http/websocket/web-sockets.js';
