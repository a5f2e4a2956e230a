import type { AppFacts } from '../app/app-facts.js';
import { type AppFiles, sameText } from '../app/app-files.js';
import { readManifest } from '../app/manifest-file.js';
import { type Part, PARTS, peersOf } from '../app/parts.js';
import { PROTO_SCRIPT } from '../app/proto-scripts.js';
import { mayOverlap } from '../app/version-range.js';
import { callArguments, plainSource } from '../source/plain-source.js';
import { bufYaml } from '../texts/proto-texts.js';
import type { AppSources } from './app-sources.js';
import type { Obstacle } from './obstacle.js';
import { protosOf } from './protos.js';
import { takenRouteOf } from './routes.js';
import { otherStart, startWithoutServer } from './starts.js';

/** What stands against a part, apart from parts that it needs. */
export function obstacleTo(
  part: Part,
  files: AppFiles,
  facts: AppFacts,
  sources: AppSources,
): Obstacle | undefined {
  const there = sources.fileWith(
    new RegExp(`\\b${PARTS[part]}\\b`),
    new RegExp(`['"]@apix/${part}['"]`),
  );
  if (there !== undefined) return { why: `${there} has it already`, isThere: true };
  return conflictOf(part, facts) ?? OBSTACLES[part]?.(sources, files, facts);
}

function conflictOf(part: Part, facts: AppFacts): Obstacle | undefined {
  for (const [name, needed] of Object.entries(peersOf(part, facts))) {
    const range = facts.packages[name];
    if (range === undefined || mayOverlap(range, needed)) continue;
    return { why: `it needs ${name} ${needed}, not ${range}`, remedy: `update ${name}` };
  }
  return undefined;
}

type Look = (sources: AppSources, files: AppFiles, facts: AppFacts) => Obstacle | undefined;

const OBSTACLES: Partial<Record<Part, Look>> = {
  proto: (sources, files) => ownServer(sources) ?? ownBuild(files),

  logx(sources) {
    const logger = requestLoggerOf(sources);
    if (logger === undefined) return undefined;
    return {
      why: `${logger.file} has ${logger.name}, and each request would be logged twice`,
      remedy:
        logger.name === 'nestjs-pino'
          ? 'move from it with `npx apix-logx-from-nestjs-pino` of @apix/logx-codemod'
          : `take the log of requests out of ${logger.file}`,
    };
  },

  authz(sources) {
    const server = ownServer(sources);
    if (server !== undefined) return server;
    const file = unguardedMicroserviceOf(sources);
    if (file === undefined) return undefined;
    return {
      why: `${file} connects a microservice without inheritAppConfig, and policies would not hold for its messages`,
      remedy: `pass { inheritAppConfig: true } as the second argument of connectMicroservice`,
    };
  },

  grpc: (sources, _files, facts) => ownServer(sources) ?? otherStart(sources, facts),

  gateway(sources, files, facts) {
    const { inFolder, rules } = protosOf(files);
    if (rules.length === 0 && inFolder.length > 0) {
      return {
        why: 'no method in proto/ has an HTTP path, and a gateway without one does not start',
        remedy: 'add the option google.api.http to a method',
      };
    }
    const taken = takenRouteOf(sources, rules);
    if (taken === undefined) return startWithoutServer(sources, facts);
    return {
      why: `${taken.file} has a route for ${taken.rule}, which the gateway would answer instead`,
      remedy: 'give the method another HTTP path, or remove that route',
    };
  },
};

/** Its loader reads the .proto files in its own way, and its port and its services would be taken twice. */
function ownServer(sources: AppSources): Obstacle | undefined {
  const file = grpcServerOf(sources);
  if (file === undefined) return undefined;
  return {
    why: `${file} has a gRPC server of the app's own, which stays`,
    remedy: 'move its .proto files below proto/ and remove that server',
  };
}

/** What the app would load has to be what this package compiles. */
function ownBuild(files: AppFiles): Obstacle | undefined {
  const { notFound, hasGoogleApi } = protosOf(files);
  if (notFound !== undefined) {
    return {
      why: `${notFound}, which is not below proto/`,
      remedy: 'correct the import, which starts below proto/',
    };
  }
  const yaml = bufYaml(hasGoogleApi);
  if (!sameText(files.text('buf.yaml') ?? yaml, yaml)) {
    return {
      why: "buf.yaml is the app's own",
      remedy: `make its modules those of\n${yaml}`,
    };
  }
  const script = readManifest(files).scripts?.['proto'] ?? PROTO_SCRIPT;
  if (script === PROTO_SCRIPT) return undefined;
  return {
    why: 'the script "proto" of package.json is the app\'s own',
    remedy: `rename it: "proto" has to be \`${PROTO_SCRIPT}\``,
  };
}

const CLIENT = /\b(?:ClientsModule|ClientProxyFactory|ClientGrpcProxy)\b|@Client\s*\(/;
const STARTED = /\b(?:connectMicroservice|createMicroservice)\b/;
const HANDLER = /@(?:GrpcMethod|GrpcStreamMethod|GrpcStreamCall)\s*\(/;

/**
 * The file by which the app serves gRPC without this package: by `Transport.GRPC`, its handlers, or grpc-js. A
 * microservice whose transport is not in the sources may be one.
 */
function grpcServerOf(sources: AppSources): string | undefined {
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
function unguardedMicroserviceOf(sources: AppSources): string | undefined {
  return sources.fileThat((text) =>
    callArguments(plainSource(text), /\.connectMicroservice\b[^(]*\(/g).some(
      (given) => !/\binheritAppConfig\s*:\s*true\b/.test(given),
    ),
  );
}

/** Packages that log each request. */
const PACKAGES = ['nestjs-pino', 'pino-http', 'morgan', 'express-winston'];

/** Where an instance of Fastify is made, and what makes it log in its options. */
const FASTIFY = /\b(?:FastifyAdapter|[Ff]astify)\s*\(/g;
const LOGGER = /[{,]\s*logger(?:Instance)?\s*(?::(?!\s*false)|[,}])/;

/** What already logs each request of the app. */
interface RequestLogger {
  readonly name: string;
  readonly file: string;
}

function requestLoggerOf(sources: AppSources): RequestLogger | undefined {
  for (const name of PACKAGES) {
    const file = sources.fileWith(new RegExp(`['"]${name}['"]`));
    if (file !== undefined) return { name, file };
  }
  const file = sources.fileThat((text) =>
    callArguments(plainSource(text), FASTIFY).some(
      (given) => LOGGER.test(given) && !/\bdisableRequestLogging\s*:\s*true\b/.test(given),
    ),
  );
  return file === undefined ? undefined : { name: 'Fastify', file };
}
