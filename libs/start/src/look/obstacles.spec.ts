import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { EXISTING_APP, NEW_APP, applied } from '../apps.fixture.js';
import { nestAdd } from '../nest-add.js';

const MODULE = 'src/apix.module.ts';

/** An app that has these files too, after `nest add`, and the modules that it imports then. */
function added(more: Readonly<Record<string, string>>, app = EXISTING_APP) {
  const outcome = applied(nestAdd({}), { ...app, ...more });
  const entries = outcome.files[MODULE]?.matchAll(/^ {4}(\w+)\./gm) ?? [];
  return { ...outcome, modules: [...entries].map(([, name]) => name) };
}

function withPackages(packages: Readonly<Record<string, string>>): Record<string, string> {
  const manifest = JSON.parse(EXISTING_APP['package.json']!) as { dependencies: object };
  const dependencies = { ...manifest.dependencies, ...packages };
  return { 'package.json': JSON.stringify({ ...manifest, dependencies }) };
}

const CONNECTED = `app.connectMicroservice({ transport: Transport.GRPC, options }, { inheritAppConfig: true });`;
const WITHOUT_GRPC = ['LogxModule', 'HostxModule'];
const WITHOUT_SERVER = ['ProtoModule', 'LogxModule', 'AuthzModule', 'HostxModule'];
const WITHOUT_PROTOS = ['LogxModule', 'AuthzModule', 'HostxModule'];

describe('an app with a gRPC server of its own', () => {
  const own = added({ 'src/setup.ts': CONNECTED });

  it('gets no second one, no policies for its handlers, and is not connected', () => {
    expect(own.modules).toEqual(WITHOUT_GRPC);
    expect(own.files['src/main.ts']).toBe(EXISTING_APP['src/main.ts']);
    expect(own.files['src/app.module.ts']).toContain('ApixModule');
    expect(Object.keys(own.files)).not.toContain('buf.yaml');
  });

  it('has neither packages nor scripts that only a server of ours needs', () => {
    expect(own.files['package.json']).not.toMatch(/@apix\/grpc|@apix\/gateway|protobufjs|"proto"/);
    expect(own.files['package.json']).toContain('"prestart": "node tools/clean.js"');
  });

  it('is shown why, and what to do', () => {
    expect(own.said).toContain(
      "- GrpcModule was left out: src/setup.ts has a gRPC server of the app's own, which stays. To have it:",
    );
    expect(own.said).toContain('- GatewayModule was left out: it needs GrpcModule');
  });

  it('gets the rest by another run once it has none any more', () => {
    const { 'src/setup.ts': _, ...later } = own.files;
    const again = applied(nestAdd({}), later);
    expect(again.files[MODULE]).toContain('GatewayModule.forRoot');
    expect(again.files['src/main.ts']).toContain('connectGrpc(app);');
    expect(again.said).toContain('nothing to do by hand');
  });

  it.each([
    ['handlers', "@GrpcMethod('Orders', 'Get')\nget() {}"],
    ['a server of grpc-js', "import * as grpc from '@grpc/grpc-js';\nnew grpc.Server();"],
    [
      'a microservice of an unknown transport',
      'app.connectMicroservice(options, { inheritAppConfig: true });',
    ],
    ['another client', `ClientsModule.register([]);\n${CONNECTED}`],
  ])('is found by %s', (_, source) => {
    expect(added({ 'src/setup.ts': source }).modules).toEqual(WITHOUT_GRPC);
  });

  it.each([
    ['a client', 'ClientsModule.register([{ transport: Transport.GRPC, options }]);'],
    ['a comment', `// ${CONNECTED}`],
    ['another transport', CONNECTED.replace('GRPC', 'REDIS')],
  ])('is not taken from %s', (_, source) => {
    expect(added({ 'src/setup.ts': source }).modules).toContain('GrpcModule');
  });

  it('is not taken from a test', () => {
    expect(added({ 'src/setup.spec.ts': CONNECTED }).modules).toContain('GrpcModule');
  });
});

describe('an app that logs its requests', () => {
  it.each([
    ['nestjs-pino', "import { LoggerModule } from 'nestjs-pino';"],
    ['pino-http', "import pinoHttp from 'pino-http';"],
    ['morgan', "import morgan = require('morgan');"],
    ['express-winston', "import { logger } from 'express-winston';"],
    ['Fastify', 'new FastifyAdapter({ trustProxy: true, logger: true })'],
    ['Fastify', 'new FastifyAdapter({ trustProxy: isProxied(), logger })'],
    ['Fastify', 'new FastifyAdapter(fastify({ loggerInstance: pino() }))'],
    ['Fastify', 'const server = Fastify({ logger: {} });\nnew FastifyAdapter(server)'],
  ])('by %s keeps that, and gets no second log', (name, source) => {
    const { modules, said, files } = added({ 'src/log.ts': source });
    expect(modules).not.toContain('LogxModule');
    expect(files['package.json']).not.toContain('@apix/logx');
    expect(said).toContain(
      `- LogxModule was left out: src/log.ts has ${name}, and each request would be logged twice`,
    );
  });

  it('is shown what the README shows', () => {
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    const shown = /```text\n(to do by hand:\n[^]*?)```/.exec(readme)?.[1];
    const source = `import { LoggerModule } from 'nestjs-pino';\n${EXISTING_APP['src/app.module.ts']}`;
    expect(added({ 'src/app.module.ts': source }).said).toContain(shown);
  });

  it.each([
    'new FastifyAdapter({ logger: false })',
    'new FastifyAdapter({ loggerInstance: logger, disableRequestLogging: true })',
    'new FastifyAdapter({ trustProxy: true });\nregister({ logger: true })',
  ])('is not one with %s', (source) => {
    expect(added({ 'src/log.ts': source }).modules).toContain('LogxModule');
  });

  it('and is as the CLI made it otherwise keeps its main', () => {
    const module = NEW_APP['src/app.module.ts']!.replace(
      'imports: [],',
      "imports: [require('nestjs-pino').LoggerModule.forRoot()],",
    );
    const { files } = added({ 'src/app.module.ts': module }, NEW_APP);
    expect(files['src/main.ts']).toContain('connectGrpc(app);');
    expect(files['src/main.ts']).not.toContain('LogxLoggerService');
  });
});

describe('an app that is started in several ways', () => {
  it.each([
    ['another main', 'NestFactory.create<INestApplication>(AppModule, { logger: false });'],
    [
      'a microservice',
      'NestFactory.createMicroservice(AppModule, { transport: Transport.REDIS });',
    ],
  ])('has no server, to which %s would not be connected', (_, source) => {
    const { modules, said, files } = added({ 'src/worker.ts': source });
    expect(modules).toEqual(WITHOUT_SERVER);
    expect(said).toMatch(/- GrpcModule was left out: src\/worker\.ts .*\. To have it: /);
    expect(files['src/main.ts']).toBe(EXISTING_APP['src/main.ts']);
  });

  it.each([
    ['a script', 'NestFactory.createApplicationContext(AppModule);'],
    ['a command', 'CommandFactory.run(AppModule);'],
    ['the REPL', 'repl(AppModule);'],
  ])('has no gateway, which does not start in %s', (_, source) => {
    const { modules, said } = added({ 'src/seed.ts': source });
    expect(modules).toEqual([...WITHOUT_SERVER, 'GrpcModule']);
    expect(said).toContain(
      '- GatewayModule was left out: src/seed.ts starts the app without a server',
    );
  });

  it.each([
    ['of another module', 'NestFactory.createApplicationContext(SeedModule);'],
    ['in a comment', '// NestFactory.createMicroservice(AppModule)'],
  ])('is not one with a start %s', (_, source) => {
    expect(added({ 'src/seed.ts': source }).modules).toContain('GatewayModule');
  });
});

describe('policies', () => {
  const apart = 'app.connectMicroservice({ transport: Transport.REDIS });';

  it('are left out, with the server that they guard, if they would not hold for a microservice', () => {
    const { modules, said } = added({ 'src/setup.ts': apart });
    expect(modules).toEqual(['ProtoModule', 'LogxModule', 'HostxModule']);
    expect(said).toContain(
      '- AuthzModule was left out: src/setup.ts connects a microservice without inheritAppConfig',
    );
    expect(said).toContain('pass { inheritAppConfig: true }');
    expect(said).toContain('- GrpcModule was left out: it needs AuthzModule');
  });

  it('are left out if an older jose is in the app', () => {
    const { modules, said } = added(withPackages({ jose: '5.9.0' }));
    expect(modules).not.toContain('AuthzModule');
    expect(said).toContain('it needs jose ^6.0.0, not 5.9.0. To have it: update jose');
  });
});

describe('.proto files', () => {
  const orders = EXISTING_APP['proto/shop/v1/orders.proto']!;

  it('without an HTTP path get a server and no gateway', () => {
    const proto = orders.replace(/option \(google[^;]*;/, '// (google.api.http)');
    const { modules, said } = added({ 'proto/shop/v1/orders.proto': proto });
    expect(modules).toContain('GrpcModule');
    expect(modules).not.toContain('GatewayModule');
    expect(said).toContain('- GatewayModule was left out: no method in proto/ has an HTTP path');
  });

  it.each([
    ['its path', "@Controller('v1/orders')\nclass A {\n@Get(':id')\nget() {} }"],
    [
      'its path',
      '@Controller()\nclass A {\n@Get() all() {}\n@Delete("v1/orders/:id") remove() {} }',
    ],
    ['a parameter', "@Controller({ path: 'v1' })\nclass A {\n@Get([':kind/:id'])\nget() {} }"],
    [
      'its version',
      "app.enableVersioning();\n@Controller({ path: 'orders', version: '1' })\nclass A {\n@Get(':id') get() {} }",
    ],
  ])('get no gateway where a route of the app has %s already', (_, source) => {
    const { modules, said } = added({ 'src/orders.controller.ts': source });
    expect(modules).toEqual([...WITHOUT_SERVER, 'GrpcModule']);
    expect(said).toContain(
      '- GatewayModule was left out: src/orders.controller.ts has a route for /v1/orders/{id}, which the gateway would answer instead',
    );
  });

  it.each([
    "@Controller('orders')\nclass A {\n@Get(':id')\nget() {} }",
    "@Controller('v1/orders')\nclass A {\n@Get()\nget() {} }",
    "@Controller()\nclass A {\n@Get('*path')\nget() {} }",
  ])('get one next to other routes: %j', (source) => {
    expect(added({ 'src/orders.controller.ts': source }).modules).toContain('GatewayModule');
  });

  it('that the compiler would not find each other in are not compiled', () => {
    const proto = `import "orders/types.proto";\n${orders}`;
    const { modules, said, files } = added({ 'proto/shop/v1/orders.proto': proto });
    expect(modules).toEqual(WITHOUT_PROTOS);
    expect(files['package.json']).not.toContain('"proto"');
    expect(said).toContain('proto/shop/v1/orders.proto imports "orders/types.proto"');
  });

  it('that are elsewhere are named, and the first service is added', () => {
    const { modules, said, files } = added({ 'src/proto/hero.proto': orders }, NEW_APP);
    expect(modules).toContain('GatewayModule');
    expect(Object.keys(files)).toContain('proto/hello/v1/hello.proto');
    expect(said).toContain('- src/proto/hero.proto: compiled are the .proto files below proto/');
  });

  it.each([
    ["buf.yaml is the app's own", { 'buf.yaml': 'version: v1\n' }],
    [
      'the script "proto" of package.json is the app\'s own',
      {
        'package.json': EXISTING_APP['package.json']!.replace('"start"', '"proto":"make","start"'),
      },
    ],
  ])('are not compiled where %s', (why, more) => {
    const { modules, said } = added(more);
    expect(modules).toEqual(WITHOUT_PROTOS);
    expect(said).toContain(`- ProtoModule was left out: ${why}`);
  });
});

describe('what an app has already', () => {
  it('is not imported a second time', () => {
    const { modules, said } = added({
      'src/log.module.ts':
        "import { LogxModule } from '@apix/logx';\n@Module({ imports: [LogxModule.forRoot({})] })",
    });
    expect(modules).toEqual([
      'ProtoModule',
      'AuthzModule',
      'HostxModule',
      'GrpcModule',
      'GatewayModule',
    ]);
    expect(said).toContain('- LogxModule was left out: src/log.module.ts has it already');
  });

  it.each(['GrpcModule', 'GatewayModule'])('is not a %s of its own', (name) => {
    const { modules } = added({ 'src/own.module.ts': `@Module({})\nexport class ${name} {}` });
    expect(modules).toEqual(expect.arrayContaining(['GrpcModule', 'GatewayModule']));
  });

  it('is not written over where a file of ours would be', () => {
    const caller = 'export const caller = 1;\n';
    const { files } = added({ 'src/caller.ts': caller });
    expect(files['src/caller.ts']).toBe(caller);
    expect(files[MODULE]).toContain("import { caller } from './apix-caller';");
    expect(files['src/apix-caller.ts']).toContain('export function caller(): SubjectFunc');
  });

  it('is not hidden from git in a folder of the same name', () => {
    const { files } = added({ 'src/gen/orm.ts': 'export {};' });
    expect(Object.keys(files)).not.toContain('src/gen/.gitignore');
    expect(Object.keys(files)).toContain('gen/.gitignore');
  });

  it('keeps its port: the server takes the next one', () => {
    const { files } = added({ 'src/prices.ts': "const url = 'prices:50051';" });
    expect(files[MODULE]).toContain("(NODE_ENV === 'test' ? 0 : 50052)");
  });
});

it('a module that the team has changed is left as it is, and the log says what it lacks', () => {
  const first = added({ 'src/log.ts': "import 'morgan';" });
  const changed = first.files[MODULE]!.replace("'allow'", "'deny'");
  const { 'src/log.ts': _, ...kept } = first.files;
  const later = { ...kept, [MODULE]: changed };
  const again = applied(nestAdd({}), later);
  expect(again.files[MODULE]).toBe(changed);
  expect(again.said).toContain('- LogxModule was left out: src/apix.module.ts was changed');
  expect(again.said).toContain('`pnpm add @apix/logx@0.1.0`, and add `LogxModule.forRoot(');
});
