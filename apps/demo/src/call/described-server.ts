import { ClientChannel, createClient } from '@apix/grpc-client';
import { reflectDescriptors } from '@apix/grpc-client/core';
import { NetworkTransport } from '@apix/grpc-client/transport';
import { ProtoRegistry } from '@apix/proto/core';
import {
  type DescMessage,
  type DescMethod,
  type JsonValue,
  type Message,
  fromJsonString,
  toJson,
} from '@bufbuild/protobuf';
import { credentials } from '@grpc/grpc-js';
import type { CallLine } from './call-line.js';

type Caller = (
  request: unknown,
  options: { readonly headers: CallLine['headers'] },
) => Promise<Message> | AsyncIterable<Message>;

/** A gRPC server that says itself what it serves. Nothing is encrypted on the way to it. */
export class DescribedServer {
  private constructor(
    private readonly channel: ClientChannel,
    private readonly protos: ProtoRegistry,
  ) {}

  /** @throws ReflectionError where the server cannot be reached or does not describe itself. */
  static async open(endpoint: string): Promise<DescribedServer> {
    const transport = new NetworkTransport({
      endpoint,
      credentials: credentials.createInsecure(),
      channelOptions: {},
      connectTimeoutMs: 5_000,
    });
    const channel = new ClientChannel(transport);
    try {
      return new DescribedServer(channel, ProtoRegistry.load(await reflectDescriptors(transport)));
    } catch (error) {
      await channel.close();
      throw error;
    }
  }

  /** Its methods, each as `service/method`, with the word stream where it has several messages. */
  get methods(): readonly string[] {
    return [...this.protos.methods.values()].map((method) => {
      const { parent, name, methodKind } = method;
      const kind = methodKind === 'unary' ? '' : `  (${methodKind.replace('_', ' ')})`;
      return `${parent.typeName}/${name}${kind}`;
    });
  }

  /**
   * Calls a method; its answers as they come.
   *
   * @throws TypeError where there is no such method, or its request is wrong; StatusError where the call fails.
   */
  async *call({ target, headers, messages }: CallLine): AsyncGenerator<JsonValue, void> {
    const method = this.protos.method(`/${target}`);
    if (method === undefined) throw new TypeError(`the server has no method ${target}`);
    const requests = messages.map((json) => this.request(method.input, json));
    const client = createClient(method.parent, { channel: this.channel });
    const caller = (client as Readonly<Record<string, Caller>>)[method.localName]!;
    const answers = caller(clientStreams(method) ? requests : only(requests), { headers });
    if (Symbol.asyncIterator in answers) {
      for await (const answer of answers) yield this.json(method, answer);
    } else {
      yield this.json(method, await answers);
    }
  }

  async close(): Promise<void> {
    await this.channel.close();
  }

  private request(type: DescMessage, json: string): Message {
    try {
      return fromJsonString(type, json, { registry: this.protos.registry });
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new TypeError(`-d '${json}' is not a ${type.typeName}: ${why}`, { cause });
    }
  }

  private json({ output }: DescMethod, answer: Message): JsonValue {
    return toJson(output, answer, { registry: this.protos.registry });
  }
}

function clientStreams({ methodKind }: DescMethod): boolean {
  return methodKind === 'client_streaming' || methodKind === 'bidi_streaming';
}

function only(requests: readonly Message[]): Message {
  if (requests.length === 1) return requests[0]!;
  throw new TypeError(`the method takes one message, not ${requests.length}`);
}
