export { InProcessTransport } from '../client/transport/in-process-transport.js';
export { NetworkTransport } from '../client/transport/network-transport.js';
export { checkStack } from '../client/transport/stack.js';
export { CHANNEL_DEFAULTS, CONNECTION_OPTIONS } from '../client/transport/connection-options.js';
export type { InProcessSettings } from '../client/transport/in-process-transport.js';
export type { Stack, StackNeeds } from '../client/transport/stack.js';
export type { ChannelCertificates, ChannelSettings } from '../client/transport/channel-settings.js';
export type { TlsMaterial } from '../client/transport/http2/http2-settings.js';
export type { ConnectionOptions } from '../client/transport/connection-options.js';
export type {
  CallTransport,
  ChannelState,
  MessageOrWire,
  SendContext,
  TransportCall,
  TransportEnd,
  TransportHead,
  TransportListener,
} from '../client/transport/call-transport.js';
