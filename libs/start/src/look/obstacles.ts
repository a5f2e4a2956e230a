import type { AppFacts } from '../app/app-facts.js';
import type { AppFiles } from '../app/app-files.js';
import { PARTS, type Part, peersOf } from '../app/parts.js';
import { mayMeet } from '../app/version-range.js';
import type { AppSources } from './app-sources.js';
import { grpcServerOf, unguardedMicroserviceOf } from './microservices.js';
import type { Obstacle } from './obstacle.js';
import { ownBuild } from './own-build.js';
import { protosOf } from './protos.js';
import { requestLoggerOf } from './request-logger.js';
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
    if (range === undefined || mayMeet(range, needed)) continue;
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
