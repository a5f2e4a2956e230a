import { Mistakes } from '@apix/contracts';
import { type ModuleExtras, optionsModule } from '@apix/contracts/internal-nest';
import { FLAG, parsedOption } from '@apix/contracts/internal';
import { type DynamicModule, Module } from '@nestjs/common';
import { SwaggerUiOptionsError } from '../errors.js';
import { resolvePageOptions, type SwaggerUiOptions } from '../options.js';
import { docsController, SWAGGER_UI_OPTIONS } from './docs-controller.js';

export interface SwaggerUiModuleOptions extends SwaggerUiOptions {
  /** Where the page is served, below the app's global prefix. Default: `docs`. */
  readonly path?: string;
}

interface SwaggerUiExtras extends ModuleExtras {
  readonly path?: string;
}

const { ConfigurableModuleClass, OPTIONS_TYPE, ASYNC_OPTIONS_TYPE } = optionsModule<
  SwaggerUiOptions,
  'createSwaggerUiOptions',
  SwaggerUiExtras
>({
  name: 'swagger-ui: SwaggerUiModule',
  token: SWAGGER_UI_OPTIONS,
  factoryMethod: 'createSwaggerUiOptions',
  extras: ['path'],
  define: (definition, { path, isGlobal = true }) => ({
    ...definition,
    global: isGlobal,
    controllers: [docsController(trimmed(path))],
  }),
});

/**
 * Serves Swagger UI in a Nest app on Express or Fastify, marked as an endpoint for operators.
 * With `forRootAsync`, `path` and `isGlobal` (default: true) are given next to `useFactory`.
 */
@Module({})
export class SwaggerUiModule extends ConfigurableModuleClass {
  /** @throws SwaggerUiOptionsError that lists every mistake in the options. */
  static override forRoot(options: SwaggerUiModuleOptions & typeof OPTIONS_TYPE): DynamicModule {
    resolvePageOptions(options, { path: PATH, isGlobal: FLAG });
    return super.forRoot(options);
  }

  /** @throws SwaggerUiOptionsError for a path that cannot be used; other mistakes are thrown at startup. */
  static override forRootAsync(options: typeof ASYNC_OPTIONS_TYPE): DynamicModule {
    const mistakes = new Mistakes();
    if (options.path !== undefined) PATH.read(options.path, 'path', mistakes);
    mistakes.throwIfAny((found) => new SwaggerUiOptionsError(found));
    return super.forRootAsync(options);
  }
}

const PATH = parsedOption((value) => {
  if (typeof value !== 'string') throw new Error('must be a string');
  if (trimmed(value) !== '') return value;
  throw new Error('must not be empty, or the docs take every path of the app');
});

function trimmed(path = 'docs'): string {
  return path.replaceAll(/^\/+|\/+$/g, '');
}
