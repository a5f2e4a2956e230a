export { InProcessTransport } from './in-process-transport.js';
export { NetworkTransport } from './network-transport.js';
export { checkStack } from './stack.js';
export { CHANNEL_DEFAULTS, CONNECTION_OPTIONS } from './connection-options.js';

export type { Stack, StackNeeds } from './stack.js';
export type { ChannelCertificates, ChannelSettings } from './channel-settings.js';
export type { TlsMaterial } from './http2/http2-settings.js';
export type { ConnectionOptions } from './connection-options.js';
export type { CallTransport, ChannelState } from './call-transport.js';

export { IdleTimer } from './http2/idle-timer.js';
export { KeepAlive } from './http2/keep-alive.js';
export type { KeepAliveRules } from './http2/keep-alive.js';
export { setupError } from '../errors.js';
export { messageOf } from '../call/message-of.js';
export { COMPRESSION } from '../compression/compression-options.js';
export { isSentAsIs } from '../compression/uncompressed.js';
export { askWhileClosing } from '../patches/ask-while-closing.js';
export { REFLECTION_DESCRIPTORS } from '../reflection/reflection-descriptors.js';
export { CertificateUpdates } from '../tls/certificate-updates.js';
export { readPemFiles } from '../tls/tls.js';
export type { Pem, PemFiles, TlsOptions } from '../tls/tls.js';
