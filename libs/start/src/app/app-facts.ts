import type { AppFiles } from './app-files.js';
import { type MainModule, rootModuleOf } from '../source/root-module.js';
import { sameText } from './app-files.js';

/** Whether a main is what `nest new` and `nest g app` write, in this version and the one before it. */
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

/** What decides about the files of an app. */
export interface AppFacts {
  readonly sourceRoot: string;
  /** Whether its imports of files end with `.js`, as in ES modules. */
  readonly isEsm: boolean;
  /** Whether its main.ts is as the CLI wrote it: a new app. */
  readonly isNew: boolean;
  /** Undefined where its main.ts does not say it in a way that is understood. */
  readonly rootModule: MainModule | undefined;
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

/** How a file of the app is imported. */
export function importPath(path: string, { isEsm }: Pick<AppFacts, 'isEsm'>): string {
  return isEsm ? `${path}.js` : path;
}
