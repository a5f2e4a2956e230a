import type { AppFiles } from './app-files.js';
import { type MainModule, rootModuleOf } from '../source/root-module.js';
import { sameText } from './app-files.js';

/** Whether a main is the one that `nest new` and `nest g app` write, in this version and the previous one. */
function isStock(main: string, { name, file }: MainModule): boolean {
  return ['await bootstrap();', 'bootstrap();', 'void bootstrap();'].some((call) =>
    ['PORT', 'port'].some((port) =>
      ['.js', ''].some((ending) =>
        sameText(
          main,
          `import { NestFactory } from '@nestjs/core';
import { ${name} } from './${file}${ending}';

async function bootstrap() {
  const app = await NestFactory.create(${name});
  await app.listen(process.env.${port} ?? 3000);
}
${call}
`,
        ),
      ),
    ),
  );
}

/** The facts about an app that determine its files. */
export interface AppFacts {
  readonly sourceRoot: string;
  /** Whether its file imports end with `.js`, as in ES modules. */
  readonly isEsm: boolean;
  /** Whether its main.ts is unchanged from what the CLI wrote: a new app. */
  readonly isNew: boolean;
  /** Undefined if it cannot be determined from main.ts. */
  readonly rootModule: MainModule | undefined;
  /** The major version of `@nestjs/core`. */
  readonly nestMajor: 11 | 12;
  readonly packageManager: 'npm' | 'pnpm' | 'yarn' | 'bun';
}

const LOCKS = [
  ['yarn.lock', 'yarn'],
  ['pnpm-lock.yaml', 'pnpm'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
] as const;

/** @throws if there is no package.json of a Nest app. */
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
  const main = files.text(`${sourceRoot}/main.ts`) ?? '';
  const rootModule = rootModuleOf(main);
  return {
    sourceRoot,
    isEsm: manifest.type === 'module',
    isNew: rootModule !== undefined && isStock(main, rootModule),
    rootModule,
    nestMajor: /(\d+)/.exec(nest)?.[1] === '11' ? 11 : 12,
    packageManager: LOCKS.find(([lock]) => files.exists(lock))?.[1] ?? 'npm',
  };
}

/** The import path of a file of the app. */
export function importPath(path: string, { isEsm }: Pick<AppFacts, 'isEsm'>): string {
  return isEsm ? `${path}.js` : path;
}
