import type { ProtoRegistry } from '@apix/proto/core';
import { fromJson, type JsonObject, toBinary } from '@bufbuild/protobuf';
import { type Client, Metadata, type StatusObject } from '@grpc/grpc-js';

/** Calls unary methods by their full name, from what the descriptors say of them. */
export class GrpcCaller {
  constructor(
    private readonly client: Client,
    private readonly registry: ProtoRegistry,
  ) {}

  /** How the call ended. */
  call(method: string, message: JsonObject, authorization?: string): Promise<StatusObject> {
    const { input } = this.registry.method(method)!;
    const request = Buffer.from(toBinary(input, fromJson(input, message)));
    const metadata = new Metadata();
    if (authorization !== undefined) metadata.set('authorization', authorization);
    return new Promise((resolve) => {
      this.client
        .makeUnaryRequest(
          method,
          (bytes: Buffer) => bytes,
          (bytes) => bytes,
          request,
          metadata,
          () => {},
        )
        .on('status', resolve);
    });
  }
}
