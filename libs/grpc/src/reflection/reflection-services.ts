import type { ServerDuplexStream } from '@grpc/grpc-js';
import type { ServerReflectionRequest } from '@apix/grpc-client/protos';
import { REFLECTION_DESCRIPTORS } from '@apix/grpc-client/internal';
import type { BuiltInService } from '../server/built-in.js';
import { OpenStreams } from '../server/open-streams.js';
import { type ReflectionAnswer, ReflectionDialogue } from './answer.js';
import type { DescriptorIndex } from './descriptor-index.js';

interface Response {
  readonly validHost: string;
  readonly originalRequest: ServerReflectionRequest;
  readonly messageResponse: ReflectionAnswer;
}

type ReflectionCall = ServerDuplexStream<ServerReflectionRequest, Response>;

/**
 * Server reflection (https://github.com/grpc/grpc/blob/master/doc/server-reflection.md) as
 * `grpc.reflection.v1` and `v1alpha`, whose messages have the same shape.
 *
 * @param services full names of all services that the server serves, these two among them.
 */
export function reflectionServices(
  index: DescriptorIndex,
  services: readonly string[],
): readonly BuiltInService[] {
  const open = new OpenStreams();
  const ServerReflectionInfo = (call: ReflectionCall): void => {
    open.add(call);
    converse(call, index, services);
  };
  return REFLECTION_DESCRIPTORS.map((desc) => ({
    desc,
    handlers: { ServerReflectionInfo },
    release: () => open.endAll(),
  }));
}

function converse(call: ReflectionCall, index: DescriptorIndex, services: readonly string[]): void {
  const dialogue = new ReflectionDialogue(index, services);
  call.on('data', (request: ServerReflectionRequest) => {
    if (call.writableEnded) return;
    const hasRoom = call.write({
      validHost: request.host,
      originalRequest: request,
      messageResponse: dialogue.answer(request.messageRequest),
    });
    // A client that asks without reading the answers must not fill the memory.
    if (!hasRoom) call.pause().once('drain', () => call.resume());
  });
  call.on('end', () => call.end());
}
