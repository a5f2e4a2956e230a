import type { AppFacts } from '../app/app-facts.js';
import type { AppSources } from './app-sources.js';
import type { Obstacle } from './obstacle.js';

/** A start of the app to which the gRPC server cannot be connected, or that would need the same port. */
export function otherStart(sources: AppSources, facts: AppFacts): Obstacle | undefined {
  const microservice = sources.fileWith(startBy('createMicroservice', facts));
  if (microservice !== undefined) {
    return {
      why: `${microservice} makes an app without HTTP, to which it cannot be connected`,
      remedy:
        'make it by NestFactory.create, and its microservice by connectMicroservice with { inheritAppConfig: true }',
    };
  }
  const create = startBy('NestFactory\\s*\\.\\s*create', facts);
  const second = sources.fileThat(
    (text, path) => path !== `${facts.sourceRoot}/main.ts` && create.test(text),
  );
  if (second === undefined) return undefined;
  return {
    why: `${second} starts the app too, and both would listen on one port`,
    remedy: apart(second),
  };
}

/** A start of the app by which it has no server at all: a script, a command of nest-commander, or the REPL. */
export function startWithoutServer(sources: AppSources, facts: AppFacts): Obstacle | undefined {
  const calls = 'createApplicationContext|CommandFactory\\s*\\.\\s*\\w+|repl';
  const script = sources.fileWith(startBy(calls, facts));
  if (script === undefined) return undefined;
  const why = `${script} starts the app without a server, where a gateway without a port does not start`;
  return { why, remedy: apart(script) };
}

function startBy(calls: string, { rootModule }: AppFacts): RegExp {
  const root = rootModule?.name ?? '\\w+Module';
  return new RegExp(`\\b(?:${calls})\\s*(?:<[^()]*>)?\\s*\\(\\s*${root}\\b`);
}

function apart(file: string): string {
  return `have ${file} start another module, which does not import ApixModule`;
}
