export { ClientSession } from './client/client-session.js';
export { HTTP2_ERROR } from './frames/frames.js';
export type { ClientStream, ClientStreamListener } from './client/client-stream.js';
export type { ReceivedHeaders } from './frames/received-headers.js';
export type { SessionListener } from './client/session-listener.js';
