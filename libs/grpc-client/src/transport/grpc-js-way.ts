import { Channel } from '@grpc/grpc-js';
import { readSpacedEncodings } from '../patches/accepted-by-server.js';
import { askWhileClosing } from '../patches/ask-while-closing.js';
import { onSession } from '../patches/channel-sessions.js';
import { ChannelCall } from './channel-call.js';
import type { ChannelSettings } from './channel-settings.js';
import type { NetworkWay } from './network-way.js';

// Why: docs/decisions/0196
/** Else grpc-js shares one among the channels of a process with the same target and options. */
const OWN_CONNECTION = { 'grpc.use_local_subchannel_pool': 1 };

/** Calls over channels of grpc-js. */
export function grpcJsWay(settings: ChannelSettings): NetworkWay<Channel> {
  const { endpoint, credentials, channelOptions, compressFromBytes = 0 } = settings;
  const options = { ...channelOptions, ...OWN_CONNECTION };
  const isCompressing = Boolean(channelOptions['grpc.default_compression_algorithm']);
  return {
    connect: () => {
      const channel = new Channel(endpoint, credentials, options);
      onSession(channel, askWhileClosing);
      if (isCompressing) readSpacedEncodings(channel);
      return channel;
    },
    open: (connection, head, listener) => {
      const call = new ChannelCall(connection, head, listener, compressFromBytes);
      call.start(head.metadata);
      return call;
    },
  };
}
