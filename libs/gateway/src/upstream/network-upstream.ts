import { FORWARDED_KEY } from '@apix/contracts';
import { type DescMethod, fromBinary, toBinary } from '@bufbuild/protobuf';
import {
  type ChannelCredentials,
  type ChannelOptions,
  Client,
  credentials as grpcCredentials,
} from '@grpc/grpc-js';
import { type Codec, NetworkCall } from './network-call.js';
import type { AnswerListener, CallHead, Upstream, UpstreamCall } from './upstream.js';

export interface NetworkUpstreamOptions {
  /** `host:port`, or any target of grpc-js. */
  readonly endpoint: string;
  /** Default: plaintext. */
  readonly credentials?: ChannelCredentials | undefined;
  /** Options of the grpc-js channel. Default: none. */
  readonly channelOptions?: ChannelOptions | undefined;
}

/** Makes calls over one connection of grpc-js, which the first of them opens. */
export function networkUpstream(options: NetworkUpstreamOptions): Upstream {
  return new NetworkUpstream(options);
}

class NetworkUpstream implements Upstream {
  readonly transport = 'network';
  readonly #client: Client;
  readonly #channel: ReturnType<Client['getChannel']>;
  readonly #codecs = new Map<DescMethod, Codec>();

  constructor({ endpoint, credentials, channelOptions }: NetworkUpstreamOptions) {
    const chosen = credentials ?? grpcCredentials.createInsecure();
    this.#client = new Client(endpoint, chosen, channelOptions);
    this.#channel = this.#client.getChannel();
  }

  open(head: CallHead, listener: AnswerListener): UpstreamCall {
    const { method, fullName, metadata, timeoutMs } = head;
    const deadline = timeoutMs === undefined ? Infinity : Date.now() + timeoutMs;
    // Without the client of grpc-js, which notes a stack and builds an emitter for every call.
    const carried = this.#channel.createCall(fullName, deadline, null, null, null);
    const call = new NetworkCall(carried, this.#codecOf(method), listener);
    metadata.set(FORWARDED_KEY, '1');
    call.start(metadata);
    return call;
  }

  waitForReady(deadline: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#client.waitForReady(deadline, (error) => (error ? reject(error) : resolve()));
    });
  }

  close(): void {
    this.#client.close();
  }

  #codecOf(method: DescMethod): Codec {
    let codec = this.#codecs.get(method);
    if (codec === undefined) {
      codec = codecOf(method);
      this.#codecs.set(method, codec);
    }
    return codec;
  }
}

/** The messages of a method as bytes and back. */
function codecOf(method: DescMethod): Codec {
  return {
    serialize: (message) => {
      const { buffer, byteOffset, byteLength } = toBinary(method.input, message);
      return Buffer.from(buffer, byteOffset, byteLength);
    },
    deserialize: (bytes) => fromBinary(method.output, bytes),
  };
}
