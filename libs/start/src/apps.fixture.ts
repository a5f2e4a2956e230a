import { type ReportOptions, nestAddReport } from './report.js';
import type { SchematicFolder, SchematicRule, SchematicRun, SchematicTree } from './schematic.js';

/** The relevant part of what `nest new` creates. */
export const NEW_APP: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({
    name: 'shop',
    type: 'module',
    scripts: {
      build: 'nest build',
      start: 'nest start',
      'start:dev': 'nest start --watch',
      'start:prod': 'node dist/main',
      'test:e2e': 'vitest run',
    },
    dependencies: { '@apix/start': '^0.1.0', '@nestjs/core': '^12.0.1', rxjs: '^7.8.1' },
  }),
  'src/main.ts': `import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';

async function bootstrap() {
  const app = await NestFactory.create(AppModule);
  await app.listen(process.env.PORT ?? 3000);
}
await bootstrap();
`,
  'src/app.module.ts': `import { Module } from '@nestjs/common';
import { AppController } from './app.controller.js';

@Module({
  imports: [],
  controllers: [AppController],
})
export class AppModule {}
`,
};

/** An app of Nest 11 with Fastify, a global prefix, its own scripts and main, Jest, and pnpm. */
export const EXISTING_APP: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({
    name: 'shop',
    scripts: {
      start: 'nest start',
      prestart: 'node tools/clean.js',
      'test:e2e': 'jest --config ./test/jest-e2e.json',
    },
    dependencies: { '@nestjs/core': '^11.1.4', jose: '6.0.4' },
    devDependencies: { '@bufbuild/buf': '1.50.0', jest: '^30.0.0' },
    jest: { rootDir: 'src', transform: { '^.+\\.(t|j)s$': 'ts-jest' } },
  }),
  'pnpm-lock.yaml': '',
  'proto/shop/v1/orders.proto': `syntax = "proto3";
import "google/api/annotations.proto";
service Orders {
  rpc Get(GetRequest) returns (Order) {
    option (google.api.http) = {get: "/v1/orders/{id}"};
  }
}
`,
  'test/jest-e2e.json': `{
  "moduleFileExtensions": ["js", "json", "ts"],
  "rootDir": ".",
  "transform": {
    "^.+\\\\.(t|j)s$": "ts-jest"
  }
}
`,
  'src/main.ts': `import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module';

async function bootstrap() {
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule,
    new FastifyAdapter({ trustProxy: true }), // ) in a comment
  );
  app.setGlobalPrefix('api');
  await app.listen(3000);
}
void bootstrap();
`,
  'src/app.module.ts': `import { Module } from '@nestjs/common';
import { OrdersModule } from './orders/orders.module';

@Module({
  imports: [
    OrdersModule,
  ],
})
export class AppModule {}
`,
};

/** A workspace of the Nest CLI with the app `shop`, as `nest g app shop` creates it. */
export const WORKSPACE: Readonly<Record<string, string>> = {
  'nest-cli.json': '{"monorepo": true, "root": "apps/site", "sourceRoot": "apps/site/src"}',
  'package.json': JSON.stringify({
    name: 'shops',
    scripts: { start: 'nest start' },
    dependencies: { '@nestjs/core': '^12.0.1' },
  }),
  'apps/site/src/main.ts': '',
  'apps/shop/src/main.ts': `import { NestFactory } from '@nestjs/core';
import { ShopModule } from './shop.module';

async function bootstrap() {
  const app = await NestFactory.create(ShopModule);
  await app.listen(process.env.port ?? 3000);
}
bootstrap();
`,
  'apps/shop/src/shop.module.ts': `import { Module } from '@nestjs/common';
import { ShopController } from './shop.controller';

@Module({
  imports: [],
  controllers: [ShopController],
})
export class ShopModule {}
`,
  'apps/shop/test/app.e2e-spec.ts': `import { ShopModule } from './../src/shop.module';
beforeEach(async () => {
  app = moduleFixture.createNestApplication();
  await app.init();
});
`,
};

/** The result of a schematic: the files of the app, and the logged messages. */
export interface Outcome {
  readonly files: Readonly<Record<string, string>>;
  readonly said: string;
  readonly tasks: readonly object[];
}

/** A minimal tree for the schematics; `conformance:start` runs them on the real one. */
function treeOf(files: Record<string, string>): SchematicTree {
  const write = (path: string, content: string): void => void (files[path] = content);
  return {
    exists: (path) => Object.hasOwn(files, path),
    read: (path) => (Object.hasOwn(files, path) ? Buffer.from(files[path]!) : null),
    create: (path, content) => {
      if (Object.hasOwn(files, path)) throw new Error(`${path} is there`);
      write(path, content);
    },
    overwrite: (path, content) => {
      if (!Object.hasOwn(files, path)) throw new Error(`${path} is not there`);
      write(path, content);
    },
    getDir: (folder) => folderOf(files, folder),
  };
}

function folderOf(files: Readonly<Record<string, string>>, folder: string): SchematicFolder {
  const within = folder === '' ? '' : `${folder}/`;
  const below = Object.keys(files).filter((path) => path.startsWith(within));
  const names = below.map((path) => path.slice(within.length).split('/'));
  return {
    subfiles: names.filter(({ length }) => length === 1).map(([name]) => name!),
    subdirs: [...new Set(names.filter(({ length }) => length > 1).map(([name]) => name!))],
    dir: (name) => folderOf(files, `${within}${name}`),
  };
}

export function applied(rule: SchematicRule, app: Readonly<Record<string, string>>): Outcome {
  const files = { ...app };
  let said = '';
  const say = (text: string): void => void (said += `${text}\n`);
  const tasks: object[] = [];
  const run: SchematicRun = {
    logger: { info: say, warn: say },
    addTask(task) {
      const { name, options } = task.toConfiguration();
      // What the CLI runs after the installation; conformance:start has it do so.
      if (name === 'run-schematic') {
        const { text } = (options as { options: ReportOptions }).options;
        nestAddReport({ text })(treeOf(files), run);
      } else tasks.push({ name, options });
      return { id: tasks.length };
    },
  };
  rule(treeOf(files), run);
  return { files, said, tasks };
}
