import type { AppFiles } from './app-files.js';
import { sameText } from './app-files.js';

/** What `nest new` writes as main.ts, in this version and the one before it. */
const STOCK_MAINS = ['await bootstrap();', 'bootstrap();', 'void bootstrap();'].flatMap((call) =>
  ['./app.module.js', './app.module'].map(
    (module) => `import { NestFactory } from '@nestjs/core';
import { AppModule } from '${module}';

async function bootstrap() {
  const app = await NestFactory.create(AppModule);
  await app.listen(process.env.PORT ?? 3000);
}
${call}
`,
  ),
);

/** What decides about the files of an app. */
export interface AppFacts {
  readonly sourceRoot: string;
  /** Whether its imports of files end with `.js`, as in ES modules. */
  readonly isEsm: boolean;
  /** Whether its main.ts is as the CLI wrote it: a new app. */
  readonly isNew: boolean;
  /** Of `@nestjs/core`. */
  readonly nestMajor: 11 | 12;
  readonly packageManager: 'npm' | 'pnpm' | 'yarn' | 'bun';
}

const LOCKS = [
  ['yarn.lock', 'yarn'],
  ['pnpm-lock.yaml', 'pnpm'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
] as const;

/** @throws where there is no package.json of a Nest app. */
export function readAppFacts(files: AppFiles, sourceRoot: string): AppFacts {
  const manifest = JSON.parse(files.text('package.json') ?? '{}') as {
    readonly type?: string;
    readonly dependencies?: Readonly<Record<string, string>>;
  };
  const nest = manifest.dependencies?.['@nestjs/core'];
  if (nest === undefined) {
    throw new Error(
      'start: package.json has no @nestjs/core among its dependencies; run `nest add` in the folder of a Nest app',
    );
  }
  const main = files.text(`${sourceRoot}/main.ts`);
  return {
    sourceRoot,
    isEsm: manifest.type === 'module',
    isNew: main !== undefined && STOCK_MAINS.some((stock) => sameText(stock, main)),
    nestMajor: /(\d+)/.exec(nest)?.[1] === '11' ? 11 : 12,
    packageManager: LOCKS.find(([lock]) => files.exists(lock))?.[1] ?? 'npm',
  };
}

/** How a file of the app is imported. */
export function importPath(path: string, { isEsm }: Pick<AppFacts, 'isEsm'>): string {
  return isEsm ? `${path}.js` : path;
}
