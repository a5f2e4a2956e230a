import { callArguments, plainSource } from '../source/plain-source.js';
import type { AppSources } from './app-sources.js';

const CLIENT = /\b(?:ClientsModule|ClientProxyFactory|ClientGrpcProxy)\b|@Client\s*\(/;
const STARTED = /\b(?:connectMicroservice|createMicroservice)\b/;
const HANDLER = /@(?:GrpcMethod|GrpcStreamMethod|GrpcStreamCall)\s*\(/;

/**
 * The file by which the app serves gRPC without this package: by `Transport.GRPC`, its handlers, or grpc-js. A
 * microservice whose transport is not in the sources may be one.
 */
export function grpcServerOf(sources: AppSources): string | undefined {
  return (
    sources.fileThat(
      (text) => /\bTransport\.GRPC\b/.test(text) && (STARTED.test(text) || !CLIENT.test(text)),
    ) ??
    sources.fileWith(HANDLER) ??
    sources.fileWith(/['"]@grpc\/grpc-js['"]/, /\bnew\s+(?:\w+\.)?Server\s*\(/) ??
    (sources.fileWith(/\bTransport\.\w/) === undefined ? sources.fileWith(STARTED) : undefined)
  );
}

/** The file that connects a microservice for which Nest runs no global guard: `AuthzModule` refuses it. */
export function unguardedMicroserviceOf(sources: AppSources): string | undefined {
  return sources.fileThat((text) =>
    callArguments(plainSource(text), /\.connectMicroservice\b[^(]*\(/g).some(
      (given) => !/\binheritAppConfig\s*:\s*true\b/.test(given),
    ),
  );
}
