import { HEROES_PROTO, grpcTransport, main, withParts } from './sources.mjs';

const GRPC = ['@grpc/grpc-js@1', '@grpc/proto-loader@0.8'];
const CONFIG = { 11: '@nestjs/config@4', 12: '@nestjs/config@latest' };
const PINO = {
  11: ['nestjs-pino@4', 'pino-http@10'],
  12: ['nestjs-pino@5', 'pino-http@11', 'pino@10'],
};
// The last that takes a @fastify/static which Jest can load as CommonJS on every Node.
const FASTIFY = { 11: '@nestjs/platform-fastify@11.1.9', 12: '@nestjs/platform-fastify@12' };
const FIND = ['/hero.HeroService/FindOne', 'Bob'];
const ALL = ['Proto', 'Logx', 'Authz', 'Hostx', 'Grpc', 'Gateway'];
const JSON_BODY = { 'content-type': 'application/json' };

const GRPC_IMPORT = "import { Transport } from '@nestjs/microservices';";
const FASTIFY_IMPORT = "import { FastifyAdapter } from '@nestjs/platform-fastify';";
const WHITELIST = 'app.useGlobalPipes(new ValidationPipe({ whitelist: true, transform: true }));';

/** Apps that a team has made of the one of the CLI: how, what they answer, and what nest-add adds and says. */
export const APPS = [
  {
    name: 'grpc-pino-11',
    isQuick: true,
    cli: '11',
    packages: [...GRPC, ...PINO[11], '@nestjs/microservices@11', '@nestjs/terminus@11', CONFIG[11]],
    files: {
      ...withParts('heroes', 'terminus', 'pino', 'config'),
      'proto/hero.proto': HEROES_PROTO,
      'src/main.ts': main({ imports: [GRPC_IMPORT], after: [grpcTransport('proto/hero.proto')] }),
    },
    requests: [['/'], ['/heroes/Bob'], ['/health'], ['/nowhere']],
    calls: [FIND],
    logs: [1, 1],
    adds: ['Hostx'],
    says: [
      "ProtoModule was left out: src/main.ts has a gRPC server of the app's own, which stays",
      'LogxModule was left out: src/app.module.ts has nestjs-pino',
      "AuthzModule was left out: src/main.ts has a gRPC server of the app's own",
      'GrpcModule was left out',
      'GatewayModule was left out',
    ],
  },
  {
    name: 'grpc-fastify-12',
    cli: '12',
    packages: [...GRPC, FASTIFY[12], '@nestjs/microservices@12', '@nestjs/terminus@12'],
    files: {
      ...withParts('heroes', 'terminus'),
      'src/proto/hero.proto': HEROES_PROTO,
      'src/main.ts': main({
        imports: [GRPC_IMPORT, FASTIFY_IMPORT],
        made: ', new FastifyAdapter()',
        after: [grpcTransport('src/proto/hero.proto', ', { inheritAppConfig: true }')],
      }),
    },
    requests: [['/'], ['/heroes/Bob'], ['/health'], ['/nowhere']],
    calls: [FIND],
    logs: [0, 1],
    adds: ['Logx', 'Hostx'],
    says: ["ProtoModule was left out: src/main.ts has a gRPC server of the app's own, which stays"],
  },
  {
    name: 'team-fastify-11',
    cli: '11',
    packages: [FASTIFY[11], CONFIG[11], 'class-validator@0.15', 'class-transformer@0.5'],
    files: {
      ...withParts('team', 'config'),
      'src/main.ts': main({
        imports: [FASTIFY_IMPORT, "import { ValidationPipe } from '@nestjs/common';"],
        made: ', new FastifyAdapter()',
        after: ["app.setGlobalPrefix('api', { exclude: ['/'] });", WHITELIST],
      }),
    },
    requests: [
      ['/'],
      ['/api/orders'],
      ['/api/orders', { headers: { 'x-key': 'wrong' } }],
      [
        '/api/orders',
        { method: 'POST', headers: JSON_BODY, body: '{"name":"tea","count":1,"x":2}' },
      ],
      ['/api/orders', { method: 'POST', headers: JSON_BODY, body: '{"name":1}' }],
      ['/nowhere'],
    ],
    logs: [0, 1],
    adds: ALL,
    says: ['src/main.ts: connectGrpc(app)', 'nothing to do by hand'],
  },
  {
    name: 'pino-express-12',
    cli: '12',
    packages: [...PINO[12], CONFIG[12]],
    files: {
      ...withParts('pino', 'config'),
      'src/main.ts': main({
        imports: ["import { Logger } from 'nestjs-pino';"],
        made: ', { bufferLogs: true }',
        after: ['app.useLogger(app.get(Logger));'],
      }),
    },
    requests: [['/'], ['/nowhere']],
    logs: [1, 1],
    adds: ['Proto', 'Authz', 'Hostx', 'Grpc', 'Gateway'],
    says: [
      'LogxModule was left out: src/app.module.ts has nestjs-pino, and each request would be logged twice',
    ],
  },
  {
    name: 'workspace-11',
    cli: '11',
    packages: [],
    commands: ['npx nest g app admin'],
    options: ' --project shop',
    root: 'apps/shop/src',
    files: {},
    requests: [['/']],
    logs: [0, 1],
    adds: ALL,
    says: ['apps/shop/src/main.ts: runHost', 'nothing to do by hand'],
  },
  {
    name: 'own-main-12',
    cli: '12',
    packages: [],
    files: {
      'src/main.ts': `import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';

await NestFactory.create(AppModule).then((app) => app.listen(process.env.PORT ?? 3000));
`,
    },
    requests: [['/'], ['/nowhere']],
    logs: [0, 0],
    adds: ALL,
    says: [
      'src/main.ts: the app is not made in one place, by a statement of its own',
      'call connectGrpc(app) of @apix/grpc once the app is made',
    ],
  },
];
