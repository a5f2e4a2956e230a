import type { AppFacts } from '../app/app-facts.js';
import { type AppFiles, sameText } from '../app/app-files.js';
import type { MainModule } from '../source/root-module.js';
import type { AppSources } from './app-sources.js';

/** Whether an app is as the CLI made it: its main, and no other source than the first controller and its service. */
export function isNewApp(
  files: AppFiles,
  { sourceRoot, rootModule }: AppFacts,
  sources: AppSources,
): boolean {
  if (rootModule === undefined || !/^[\w-]+\.module$/.test(rootModule.file)) return false;
  const name = rootModule.file.replace(/\.module$/, '');
  const made = ['main', `${name}.module`, `${name}.controller`, `${name}.service`];
  const known = made.map((stem) => `${sourceRoot}/${stem}.ts`);
  return (
    sources.paths.every((path) => known.includes(path) || path.startsWith('libs/')) &&
    isStock(files.text(`${sourceRoot}/main.ts`) ?? '', rootModule) &&
    /\bimports:\s*\[\s*\]/.test(files.text(`${sourceRoot}/${rootModule.file}.ts`) ?? '')
  );
}

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
