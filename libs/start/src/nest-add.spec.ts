import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { EXISTING_APP, NEW_APP, WORKSPACE, applied } from './apps.fixture.js';
import { nestAdd } from './nest-add.js';

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

function manifestOf(files: Readonly<Record<string, string>>): Manifest {
  return JSON.parse(files['package.json']!) as Manifest;
}

describe('a new app', () => {
  const { files, said, tasks } = applied(nestAdd({}), NEW_APP);

  it('gets protos, a first service and what compiles them', () => {
    expect(files['proto/hello/v1/hello.proto']).toContain('service Greeter');
    expect(files['src/hello/greeter.controller.ts']).toContain("'../gen/hello/v1/hello_pb.js'");
    expect(files['buf.gen.yaml']).toContain('import_extension=js');
    expect(Object.keys(files)).toEqual(
      expect.arrayContaining(['buf.yaml', 'gen/.gitignore', 'src/gen/.gitignore', 'src/caller.ts']),
    );
  });

  it('is started by the host, closed by default, and leaves nothing to do', () => {
    expect(files['src/main.ts']).toContain('await runHost(AppModule');
    expect(files['src/apix.module.ts']).toContain("unannotated: 'deny'");
    expect(files['src/app.module.ts']).toContain('imports: [ApixModule],');
    expect(files['src/app.module.ts']).toContain("import { ApixModule } from './apix.module.js';");
    expect(said).toContain('nothing to do by hand');
  });

  it('gets packages, which are installed, and scripts', () => {
    const { dependencies, devDependencies, scripts } = manifestOf(files);
    expect(dependencies).toMatchObject({
      '@apix/grpc': '^0.1.0',
      '@nestjs/microservices': '^12.0.4',
    });
    expect(dependencies).not.toHaveProperty('@apix/start');
    expect(devDependencies).toHaveProperty('@apix/start', '^0.1.0');
    expect(scripts).toMatchObject({
      prestart: 'npm run proto',
      'start:dev': 'apix-start dev',
      'start:prod': 'node dist/main',
    });
    expect(scripts).not.toHaveProperty('prestart:prod');
    expect(tasks).toEqual([
      { name: 'node-package', options: expect.objectContaining({ packageManager: 'npm' }) },
    ]);
  });

  it('is not changed by a second run', () => {
    const again = applied(nestAdd({}), files);
    expect([again.files, again.tasks]).toEqual([files, []]);
    expect(again.said).toBe('nothing to do by hand\n`npm start` starts the app\n');
  });

  it('keeps what its team has changed since', () => {
    const changed = {
      ...files,
      'src/caller.ts': 'export const caller = () => null;',
      'src/apix.module.ts': files['src/apix.module.ts']!.replace("'deny'", "'allow'"),
    };
    const again = applied(nestAdd({}), changed);
    expect(again.files).toEqual(changed);
    expect(again.said).toContain('- src/caller.ts: it is there already and was left as it is');
  });
});

describe('an existing app', () => {
  const { files, said, tasks } = applied(nestAdd({}), EXISTING_APP);

  it('keeps its main, which connects the server', () => {
    expect(files['src/main.ts']).toBe(
      EXISTING_APP['src/main.ts']!.replace(
        "import { AppModule } from './app.module';\n",
        "import { AppModule } from './app.module';\nimport { connectGrpc } from '@apix/grpc';\n",
      ).replace('  );\n  app.set', '  );\n  connectGrpc(app);\n  app.set'),
    );
  });

  it('keeps its handlers open, and imports files as it does', () => {
    expect(files['src/apix.module.ts']).toContain("unannotated: 'allow'");
    expect(files['src/apix.module.ts']).toContain("from './caller';");
    expect(files['src/app.module.ts']).toContain(
      '  imports: [\n    ApixModule,\n    OrdersModule,',
    );
  });

  it('with protos of its own gets no first service', () => {
    expect(Object.keys(files)).not.toContain('proto/hello/v1/hello.proto');
    expect(files['src/apix.module.ts']).toContain('controllers: [],');
  });

  it('keeps its packages, and its scripts, which the compiler runs before', () => {
    const { dependencies, devDependencies, scripts } = manifestOf(files);
    expect(dependencies).toMatchObject({ jose: '6.0.4', '@nestjs/microservices': '^11.1.4' });
    expect(devDependencies).toHaveProperty('@bufbuild/buf', '1.50.0');
    expect(scripts).toMatchObject({
      start: 'nest start',
      prestart: 'pnpm proto && node tools/clean.js',
    });
    expect(tasks).toMatchObject([{ options: { packageManager: 'pnpm' } }]);
    expect(said).toContain('nothing to do by hand');
  });

  it('is not changed by a second run', () => {
    const again = applied(nestAdd({}), files);
    expect([again.files, again.tasks]).toEqual([files, []]);
  });

  it('with the main of the CLI and controllers of its own stays open, and keeps its main', () => {
    const { files: own } = applied(nestAdd({}), {
      ...NEW_APP,
      'src/orders/orders.controller.ts': "@Controller('orders')\nexport class Orders {}\n",
    });
    expect(own['src/apix.module.ts']).toContain("unannotated: 'allow'");
    expect(own['src/main.ts']).toContain('NestFactory.create(AppModule);\n  connectGrpc(app);');
  });

  it('that makes itself in another way is not half changed', () => {
    const main = "import { start } from './start';\nvoid start();\n";
    const own = applied(nestAdd({}), { ...EXISTING_APP, 'src/main.ts': main });
    expect(own.files['src/main.ts']).toBe(main);
    expect(own.files['src/app.module.ts']).toBe(EXISTING_APP['src/app.module.ts']);
    expect(own.said).toContain('- src/main.ts: no `NestFactory.create(…)` of a module');
    expect(own.said).toContain('import ApixModule of src/apix.module.ts in the root module');
  });

  it.each([
    ['yarn.lock', 'yarn'],
    ['bun.lock', 'bun'],
  ])('with %s is installed by %s', (lock, manager) => {
    const { 'pnpm-lock.yaml': _, ...app } = EXISTING_APP;
    const { tasks: own } = applied(nestAdd({}), { ...app, [lock]: '' });
    expect(own).toMatchObject([{ options: { packageManager: manager } }]);
  });

  it('has its end-to-end tests connected too', () => {
    const test = `import { AppModule } from './../src/app.module';
let app;
beforeEach(async () => {
  app = moduleFixture.createNestApplication();
  await app.init();
});
`;
    const { files: own } = applied(nestAdd({}), { ...EXISTING_APP, 'test/app.e2e-spec.ts': test });
    expect(own['test/app.e2e-spec.ts']).toContain(
      '  app = moduleFixture.createNestApplication();\n  connectGrpc(app);\n',
    );
  });
});

describe('an app of a workspace', () => {
  const root = 'apps/shop/src';
  const { files, said } = applied(nestAdd({ sourceRoot: root }), WORKSPACE);

  it('is a new one too, whatever its root module is called', () => {
    expect(files[`${root}/main.ts`]).toContain('void runHost(ShopModule, {');
    expect(files[`${root}/main.ts`]).toContain("import { ShopModule } from './shop.module';");
    expect(files[`${root}/shop.module.ts`]).toContain('imports: [ApixModule],');
    expect(files[`${root}/apix.module.ts`]).toContain("exempt: ['ShopController.*'],");
    expect(said).toContain('nothing to do by hand');
  });

  it('shares protos, and has its types and tests to itself', () => {
    expect(files['buf.gen.yaml']).toContain(`out: ${root}/gen`);
    expect(files['apps/shop/test/app.e2e-spec.ts']).toContain('connectGrpc(app);');
    const untouched = Object.keys(files).filter((path) => path.startsWith('apps/site/'));
    expect(untouched).toEqual(['apps/site/src/main.ts']);
    expect(files['apps/site/src/main.ts']).toBe('');
  });

  it('is not changed by a second run', () => {
    const again = applied(nestAdd({ sourceRoot: root }), files);
    expect(again.files).toEqual(files);
    expect(again.said).not.toContain('to do by hand:');
  });
});

it('two apps of a workspace have their types generated by one configuration', () => {
  const shop = Object.entries(WORKSPACE).filter(([path]) => path.startsWith('apps/shop/'));
  const site = shop.map(([path, text]) => [path.replace('apps/shop/', 'apps/site/'), text]);
  const { files: one } = applied(nestAdd({ sourceRoot: 'apps/shop/src' }), WORKSPACE);
  const app = { ...one, ...(Object.fromEntries(site) as object) };
  const add = nestAdd({ sourceRoot: 'apps/site/src' });
  const { files, said } = applied(add, app);
  expect(files['buf.gen.yaml']!.match(/out: .*/g)).toEqual([
    'out: apps/shop/src/gen',
    'out: apps/site/src/gen',
  ]);
  expect(said).toContain('nothing to do by hand');
  for (const root of ['apps/shop/src', 'apps/site/src']) {
    expect(applied(nestAdd({ sourceRoot: root }), files).files).toEqual(files);
  }
});

describe('the main of an existing app', () => {
  const changed = (main: string, more: Readonly<Record<string, string>> = {}) =>
    applied(nestAdd({}), { ...EXISTING_APP, 'src/main.ts': main, ...more });
  const imports = "import { AppModule } from './app.module';\n";

  it.each([
    [
      'without semicolons',
      'const app = await NestFactory.create(AppModule)\nawait app.listen(3000)\n',
    ],
    ['with options', 'const app = await NestFactory.create(AppModule, { logger: false });\n'],
    [
      'in a variable of its own',
      'let app: INestApplication;\napp = await NestFactory.create(AppModule);\n',
    ],
  ])('that makes the app %s connects the server after it', (_, body) => {
    const { files, said } = changed(`${imports}${body}`);
    expect(files['src/main.ts']).toMatch(/create\(AppModule.*\);?\nconnectGrpc\(app\);\n/);
    expect(files['src/app.module.ts']).toContain('ApixModule');
    expect(said).toContain('nothing to do by hand');
  });

  it.each([
    ['goes on after it is made', 'const app = await NestFactory.create(AppModule)\n  .then(use)\n'],
    ['is handed on at once', 'start(await NestFactory.create(AppModule));\n'],
    [
      'is made twice',
      'a = await NestFactory.create(AppModule);\nb = await NestFactory.create(AppModule);\n',
    ],
  ])('that makes an app which %s is left alone, and its module too', (_, body) => {
    const { files, said } = changed(`${imports}${body}`);
    expect(files['src/main.ts']).toBe(`${imports}${body}`);
    expect(files['src/app.module.ts']).toBe(EXISTING_APP['src/app.module.ts']);
    expect(said).toContain('- src/main.ts: the app is not made in one place');
    expect(said).toContain('call connectGrpc(app) of @apix/grpc once the app is made');
  });

  it.each([
    ['is not read', { 'src/app.module.ts': 'export const AppModule = define();\n' }],
    [
      'has imports that are no list',
      {
        'src/app.module.ts': '@Module({ imports: shared })\nexport class AppModule {}\n',
      },
    ],
  ])('is left alone where the root module %s', (_, more) => {
    const { files, said } = changed(EXISTING_APP['src/main.ts']!, more);
    expect(files['src/main.ts']).toBe(EXISTING_APP['src/main.ts']);
    expect(files['src/app.module.ts']).toBe(more['src/app.module.ts']);
    expect(said).toContain('- src/app.module.ts: its `@Module({ imports: […] })` was not found');
  });

  it('may have its root module in a folder', () => {
    const main = EXISTING_APP['src/main.ts']!.replace('./app.module', './app/app.module');
    const { 'src/app.module.ts': module, ...app } = EXISTING_APP;
    const { files } = applied(nestAdd({}), {
      ...app,
      'src/main.ts': main,
      'src/app/app.module.ts': module!,
    });
    expect(files['src/app/app.module.ts']).toContain(
      "import { ApixModule } from '../apix.module';",
    );
  });

  it('keeps the line ends of Windows', () => {
    const main = EXISTING_APP['src/main.ts']!.replaceAll('\n', '\r\n');
    const { files } = changed(main);
    expect(files['src/main.ts']).toContain('  connectGrpc(app);\r\n');
    expect(files['src/main.ts']).not.toMatch(/[^\r]\n/);
  });

  it('and its controllers, filters and prefix are as they were', () => {
    const own = {
      'src/orders/orders.controller.ts':
        "@Controller('orders')\nexport class OrdersController {}\n",
      'src/errors.filter.ts': '@Catch()\nexport class ErrorsFilter {}\n',
      'tsconfig.json': '{}',
      'nest-cli.json': '{}',
    };
    const { files } = changed(EXISTING_APP['src/main.ts']!, own);
    expect(files).toMatchObject(own);
    expect(files['src/main.ts']).toContain("app.setGlobalPrefix('api');");
  });
});

it('buf finds google/api in a package that the app names, as pnpm needs it', () => {
  const { files } = applied(nestAdd({}), { ...NEW_APP, 'pnpm-lock.yaml': '' });
  expect(files['buf.yaml']).toContain('path: node_modules/@apix/proto/proto');
  expect(manifestOf(files).dependencies).toHaveProperty('@apix/proto');
  expect(manifestOf(files).devDependencies).not.toHaveProperty('protobufjs');
  expect(manifestOf(files).scripts).toHaveProperty('prestart', 'pnpm proto');
});

it('an app with files of google/api keeps them, and buf gets no others', () => {
  const own = { 'proto/google/api/http.proto': 'syntax = "proto3";\npackage google.api;\n' };
  const { files } = applied(nestAdd({}), { ...NEW_APP, ...own });
  expect(files['buf.yaml']).toBe(
    'version: v2\nmodules:\n  - path: proto\n  - path: node_modules/@apix/authz/proto\n',
  );
});

it('buf compiles the first service with the files that come with the packages', () => {
  const { files } = applied(nestAdd({}), NEW_APP);
  const app = mkdtempSync(join(tmpdir(), 'apix-start-'));
  try {
    for (const name of ['buf.yaml', 'proto/hello/v1/hello.proto']) {
      mkdirSync(dirname(join(app, name)), { recursive: true });
      writeFileSync(join(app, name), files[name]!);
    }
    for (const name of ['authz', 'proto']) {
      const from = new URL(`../../${name}/proto`, import.meta.url);
      cpSync(from, join(app, `node_modules/@apix/${name}/proto`), { recursive: true });
    }
    const buf = fileURLToPath(new URL('../../../node_modules/.bin/buf', import.meta.url));
    const args = ['build', 'proto', '--as-file-descriptor-set', '-o', '-'];
    const set = execFileSync(buf, args, { cwd: app }).toString('latin1');
    expect(set).toContain('google/api/annotations.proto');
    expect(set).toContain('response_body');
  } finally {
    rmSync(app, { recursive: true });
  }
});

it.each([
  ['^10.4.0', '10.4.0'],
  ['^11.0.1', '11.0.20'],
])('an app of Nest %s, of which %s is installed, is refused', (range, version) => {
  const manifest = JSON.stringify({ dependencies: { '@nestjs/core': range } });
  const app = {
    'package.json': manifest,
    'node_modules/@nestjs/core/package.json': JSON.stringify({ version }),
  };
  expect(() => applied(nestAdd({}), app)).toThrow(
    `start: @nestjs/core ${version} is not supported; update it to 11.1.4 or later, or to 12`,
  );
});

it('a folder without a Nest app is refused', () => {
  expect(() => applied(nestAdd({}), { 'package.json': '{}' })).toThrow(
    /^start: package\.json has no @nestjs\/core among its dependencies; run `nest add` in/,
  );
});
