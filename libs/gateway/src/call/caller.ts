import { isServerStatus } from '@apix/calls';
import { FORWARDED_KEY } from '@apix/contracts';
import { type DescMethod, type Message, fromBinary, toBinary } from '@bufbuild/protobuf';
import {
  type CallOptions,
  type ChannelCredentials,
  type ChannelOptions,
  Client,
  type ClientDuplexStream,
  type ClientReadableStream,
  type Interceptor,
  type Metadata,
  type NextCall,
  type StatusObject,
  credentials as grpcCredentials,
} from '@grpc/grpc-js';
import { ChannelCall, type Codec } from './channel-call.js';
import { type CarriedCall, UnaryCall } from './unary-call.js';

/** How calls reach the server. */
export type TransportKind = 'network' | 'in-process';

/** A call that is ready to be made, but for what it sends. */
export interface StreamCall {
  readonly method: DescMethod;
  readonly fullName: string;
  readonly metadata: Metadata;
  /** Milliseconds from now; undefined for none. */
  readonly timeoutMs: number | undefined;
}

/** A call that is ready to be made. */
export interface OutgoingCall extends StreamCall {
  readonly message: Message;
}

/** How a unary call ended. */
export interface UnaryOutcome {
  readonly status: Status;
  readonly headers: Metadata | undefined;
  /** The response, exactly when the status is OK. */
  readonly message: Message | undefined;
  /** False when the client library, not the server, says so. */
  readonly answered: boolean;
}

export interface CallerOptions {
  /** `host:port`, or any target of grpc-js. */
  readonly endpoint: string;
  readonly credentials?: ChannelCredentials | undefined;
  readonly channelOptions?: ChannelOptions | undefined;
  /** Answers calls in this process; the endpoint is then never connected to. */
  readonly inProcess?: Interceptor | undefined;
}

type Status = Pick<StatusObject, 'code' | 'details' | 'metadata'>;

/** Makes gRPC calls, over one shared connection or in-process, the same way. */
export class Caller {
  readonly transport: TransportKind;
  private readonly client: Client;
  private readonly channel: ReturnType<Client['getChannel']>;
  private readonly inProcess: Interceptor | undefined;
  private readonly codecs = new Map<DescMethod, Codec>();

  constructor(options: CallerOptions) {
    this.transport = options.inProcess === undefined ? 'network' : 'in-process';
    this.inProcess = options.inProcess;
    this.client = new Client(
      options.endpoint,
      options.credentials ?? grpcCredentials.createInsecure(),
      options.channelOptions,
    );
    this.channel = this.client.getChannel();
  }

  /** Calls `done` exactly once. The returned function cancels the call. */
  unary(call: OutgoingCall, done: (outcome: UnaryOutcome) => void): () => void {
    const codec = this.codecOf(call.method);
    const carried =
      this.inProcess === undefined
        ? this.callOverChannel(call, codec)
        : callInProcess(this.inProcess, call, codec);
    const made = new UnaryCall(carried, (status, headers, message) => {
      done({ status, headers, message, answered: this.isAnswered(headers, status) });
    });
    made.send(this.metadataOf(call), call.message);
    return made.cancel;
  }

  private callOverChannel({ fullName, timeoutMs }: OutgoingCall, codec: Codec): CarriedCall {
    const deadline = timeoutMs === undefined ? Infinity : Date.now() + timeoutMs;
    return new ChannelCall(this.channel.createCall(fullName, deadline, null, null, null), codec);
  }

  /** A stream of responses; read it with backpressure, end it with `cancel()`. */
  serverStream(call: OutgoingCall): ClientReadableStream<Message> {
    const { serialize, deserialize } = this.codecOf(call.method);
    return this.client.makeServerStreamRequest(
      call.fullName,
      serialize,
      deserialize,
      call.message,
      this.metadataOf(call),
      this.callOptions(call),
    );
  }

  /**
   * A stream of requests, and of as many responses as the method has: on the wire the one response
   * of a client stream is a stream of one. Write and read it with backpressure.
   */
  stream(call: StreamCall): ClientDuplexStream<Message, Message> {
    const { serialize, deserialize } = this.codecOf(call.method);
    return this.client.makeBidiStreamRequest(
      call.fullName,
      serialize,
      deserialize,
      this.metadataOf(call),
      this.callOptions(call),
    );
  }

  /** Whether a status came from the server rather than from the client library. */
  isAnswered(headers: Metadata | undefined, status: Status): boolean {
    // In-process, a server may end a call without any metadata.
    return isServerStatus(status, this.transport === 'in-process' || headers !== undefined);
  }

  /**
   * Resolves when the server can be reached.
   *
   * @throws Error when it cannot be before the deadline, milliseconds since the epoch.
   */
  waitForReady(deadline: number): Promise<void> {
    if (this.transport === 'in-process') return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.client.waitForReady(deadline, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Closes the connection once the calls in flight have ended. */
  close(): void {
    this.client.close();
  }

  private metadataOf(call: StreamCall): Metadata {
    // In-process calls are marked by their interceptor.
    if (this.transport === 'network') call.metadata.set(FORWARDED_KEY, '1');
    return call.metadata;
  }

  private callOptions(call: StreamCall): CallOptions {
    return {
      ...(call.timeoutMs !== undefined && { deadline: Date.now() + call.timeoutMs }),
      ...(this.inProcess !== undefined && { interceptors: [this.inProcess] }),
    };
  }

  private codecOf(method: DescMethod): Codec {
    let codec = this.codecs.get(method);
    if (codec === undefined) {
      codec = {
        serialize: (message) => bufferOf(toBinary(method.input, message)),
        deserialize: (bytes) => fromBinary(method.output, bytes),
      };
      this.codecs.set(method, codec);
    }
    return codec;
  }
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** A call of one response through the interceptor of a server in this process. */
function callInProcess(
  open: Interceptor,
  { fullName, timeoutMs }: OutgoingCall,
  { serialize, deserialize }: Codec,
): CarriedCall {
  const definition = {
    path: fullName,
    requestStream: false,
    responseStream: false,
    requestSerialize: serialize,
    responseDeserialize: deserialize,
  };
  const options =
    timeoutMs === undefined
      ? { method_definition: definition }
      : { method_definition: definition, deadline: Date.now() + timeoutMs };
  return open(options, noChannel);
}

const noChannel: NextCall = () => {
  throw new Error('gateway: an in-process server passed a call on');
};
