import type { DescMethod } from '@bufbuild/protobuf';
import type { ServerInterceptor } from '@grpc/grpc-js';
import { CallableServer } from '../in-process/callable-server.js';
import { WrittenAnswers } from '../flow/written-answers.js';
import { noteAcceptedEncodings } from '../patches/accepted-encodings.js';
import { compressingAnswers } from '../patches/compress-answers.js';
import { notingUnsent } from '../patches/note-unsent.js';
import { readingOneByOne } from '../patches/read-one-by-one.js';
import { watchingWrites } from '../patches/watch-writes.js';
import type { ResolvedGrpcOptions } from './grpc-options.js';

/** A grpc-js server whose every call, from the network or in-process, passes the stages first. */
export function createServer(
  { channelOptions, interceptors, unsent, compression }: ResolvedGrpcOptions,
  stages: ServerInterceptor,
  describe: (path: string) => DescMethod | undefined,
): CallableServer {
  const innermost = [readingOneByOne, notingUnsent, watchingWrites(new WrittenAnswers(unsent))];
  if (compression !== undefined) innermost.push(compressingAnswers(compression));
  const options = { ...channelOptions, interceptors: [...innermost, stages, ...interceptors] };
  const server = new CallableServer(options, describe, unsent);
  if (compression !== undefined) noteAcceptedEncodings(server);
  return server;
}
