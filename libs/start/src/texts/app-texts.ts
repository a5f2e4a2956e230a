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

/** For the work on this machine. In production there are none. */
const DEVELOPMENT_TOKENS: Readonly<Record<string, Subject>> = {
  'Bearer dev-friend': { id: 'ada', roles: ['friend'], permissions: [] },
  'Bearer dev-stranger': { id: 'bob', roles: [], permissions: [] },
};

const development: SubjectFunc = ({ metadata }) => {
  const [token] = metadata.get('authorization');
  const isKnown = token !== undefined && Object.hasOwn(DEVELOPMENT_TOKENS, token);
  return isKnown ? DEVELOPMENT_TOKENS[token]! : null;
};

const nobody: SubjectFunc = () => null;

const { AUTH_JWKS, AUTH_ISSUER = '', AUTH_AUDIENCE = '', NODE_ENV } = process.env;

/** Finds out who calls. Set AUTH_JWKS, AUTH_ISSUER and AUTH_AUDIENCE for tokens of your provider. */
export const caller: SubjectFunc =
  AUTH_JWKS !== undefined
    ? bearerSubject({ jwks: AUTH_JWKS, issuer: AUTH_ISSUER, audience: AUTH_AUDIENCE })
    : NODE_ENV === 'production'
      ? nobody
      : development;
`;

/** The module that imports everything else. */
export function apixModule(facts: AppFacts, hasFirstService: boolean): string {
  const { isNew, rootModule } = facts;
  const first = rootModule?.name.replace(/Module$/, '') ?? 'App';
  return `import { AuthzModule } from '@apix/authz';
import { GatewayModule } from '@apix/gateway';
import { GrpcModule } from '@apix/grpc';
import { HostxModule } from '@apix/hostx';
import { LogxModule } from '@apix/logx';
import { ProtoModule } from '@apix/proto';
import { Module } from '@nestjs/common';
import { caller } from '${importPath('./caller', facts)}';
${hasFirstService ? `import { GreeterController } from '${importPath('./hello/greeter.controller', facts)}';\n` : ''}
@Module({
  imports: [
    ProtoModule.forRoot({ descriptors: 'gen/api.binpb', sources: 'proto' }),
    LogxModule.forRoot({ timeFormat: 'TimeRFC3339Ms', probes: 'debug' }),
    AuthzModule.forRoot({
      subject: caller,
${
  isNew
    ? `      // What has no policy is closed; the first page of the app is not.
      unannotated: 'deny',
      exempt: ['${first}Controller.*'],`
    : `      // What has no policy is open, and listed at the start; 'deny' closes it.
      unannotated: 'allow',`
}
    }),
    HostxModule.forRoot(${isNew ? '{ http: { port: Number(process.env.PORT ?? 3000) } }' : ''}),
    GrpcModule.forRoot({ port: Number(process.env.GRPC_PORT ?? 50051) }),
    GatewayModule.forRoot({ mount: '/' }),
  ],
  controllers: [${hasFirstService ? 'GreeterController' : ''}],
})
export class ApixModule {}
`;
}

/** main.ts of a new app. */
export function hostMain(facts: AppFacts, { name, file }: MainModule): string {
  const call = `runHost(${name}, {
  nest: { bufferLogs: true },
  configure: (app) => app.useLogger(app.get(LogxLoggerService)),
});`;
  return `import { runHost } from '@apix/hostx';
import { LogxLoggerService } from '@apix/logx';
import { ${name} } from '${importPath(`./${file}`, facts)}';

${facts.isEsm ? 'await' : 'void'} ${call}
`;
}
