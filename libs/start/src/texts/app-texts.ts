import { type AppFacts, importPath } from '../app/app-facts.js';
import type { MainModule } from '../source/root-module.js';

/** The controller of the first service. */
export function firstController(facts: AppFacts): string {
  return `import { GrpcService } from '@apix/grpc';
import { type GreetRequest, Greeter } from '${importPath('../gen/hello/v1/hello_pb', facts)}';

@GrpcService(Greeter)
export class GreeterController {
  greet({ name }: GreetRequest) {
    return { text: \`Hello, \${name}!\` };
  }
}
`;
}

/** Identifies the caller: by tokens of a provider if one is configured, otherwise by two development tokens. */
export const CALLER = `import { bearerSubject } from '@apix/authz/jwt';
import type { Subject, SubjectFunc } from '@apix/authz';

/** Tokens for development on this machine. They are accepted in the environments Development and Test only. */
const DEVELOPMENT_TOKENS: ReadonlyMap<string, Subject> = new Map([
  ['Bearer dev-friend', { id: 'ada', roles: ['friend'], permissions: [] }],
  ['Bearer dev-stranger', { id: 'bob', roles: [], permissions: [] }],
]);

const development: SubjectFunc = ({ metadata }) => {
  const [token] = metadata.get('authorization');
  return DEVELOPMENT_TOKENS.get(token ?? '') ?? null;
};

const nobody: SubjectFunc = () => null;

/**
 * Finds out who calls. Set AUTH_JWKS, AUTH_ISSUER and AUTH_AUDIENCE for tokens of your provider. They are read
 * when the app is made, after a .env file.
 */
export function caller(): SubjectFunc {
  const { AUTH_JWKS, AUTH_ISSUER, AUTH_AUDIENCE, APP_ENVIRONMENT, NODE_ENV } = process.env;
  if (AUTH_JWKS !== undefined) {
    const [issuer, audience] = [AUTH_ISSUER ?? '', AUTH_AUDIENCE ?? ''];
    return bearerSubject({ jwks: AUTH_JWKS, issuer, audience });
  }
  // As the host has it; anything that is not local, such as staging, accepts no development tokens.
  const environment = (APP_ENVIRONMENT?.trim() || NODE_ENV?.trim() || 'development').toLowerCase();
  return ['development', 'test'].includes(environment) ? development : nobody;
}
`;

/** main.ts of a new app. */
export function hostMain(facts: AppFacts, { name, file }: MainModule): string {
  const call = `runHost(${name}, {
  http: { port: Number(process.env.PORT ?? 3000) },
  nest: { bufferLogs: true },
  configure: (app) => app.useLogger(app.get(LogxLoggerService)),
});`;
  return `import { runHost } from '@apix/hostx';
import { LogxLoggerService } from '@apix/logx';
import { ${name} } from '${importPath(`./${file}`, facts)}';

${facts.isEsm ? 'await' : 'void'} ${call}
`;
}
