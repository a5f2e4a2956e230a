export { InProcessTransport } from './in-process-transport.js';
export { NetworkTransport } from './network-transport.js';

export type { Stack } from './stack.js';
export type { ChannelCertificates, ChannelSettings } from './channel-settings.js';
export type { TlsMaterial } from './http2/http2-settings.js';
export type { ConnectionOptions } from './connection-options.js';
export type { CallTransport, ChannelState } from './call-transport.js';

export type { TlsOptions } from '../tls/tls.js';
