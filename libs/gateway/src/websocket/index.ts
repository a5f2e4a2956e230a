export { webSockets } from '../http/websocket/web-sockets.js';
export type { AllowedOrigins } from '../request/origins.js';
export type { WebSocketOptions } from '../http/websocket/web-sockets.js';
