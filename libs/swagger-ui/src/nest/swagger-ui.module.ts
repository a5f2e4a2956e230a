import { ConfigurableModuleBuilder, type DynamicModule, Module } from '@nestjs/common';
import { SwaggerUiOptionsError } from '../errors.js';
import { type SwaggerUiOptions, assertOptions } from '../options.js';
import { docsController } from './docs-controller.js';
import { SWAGGER_UI_OPTIONS } from './tokens.js';

export interface SwaggerUiModuleOptions extends SwaggerUiOptions {
  /** Where the page is served, below the app's global prefix. Default: `docs`. */
  readonly path?: string;
}

interface SwaggerUiExtras {
  path?: string;
  isGlobal?: boolean;
}

const { ConfigurableModuleClass, OPTIONS_TYPE, ASYNC_OPTIONS_TYPE } =
  new ConfigurableModuleBuilder<SwaggerUiOptions>({ optionsInjectionToken: SWAGGER_UI_OPTIONS })
    .setClassMethodName('forRoot')
    .setFactoryMethodName('createSwaggerUiOptions')
    .setExtras<SwaggerUiExtras>({ isGlobal: true }, (definition, { path, isGlobal = true }) => ({
      ...definition,
      global: isGlobal,
      controllers: [docsController(trimmed(path))],
    }))
    .build();

/**
 * Serves Swagger UI in a Nest app on Express or Fastify, marked as an endpoint for operators.
 * With `forRootAsync`, `path` and `isGlobal` (default: true) are given next to `useFactory`.
 */
@Module({})
export class SwaggerUiModule extends ConfigurableModuleClass {
  /** @throws SwaggerUiOptionsError that lists every mistake in the options. */
  static override forRoot(options: SwaggerUiModuleOptions & typeof OPTIONS_TYPE): DynamicModule {
    assertOptions(options, ...pathMistakes(options.path));
    return super.forRoot(options);
  }

  /** @throws SwaggerUiOptionsError for a path that cannot be used; other mistakes are thrown at startup. */
  static override forRootAsync(options: typeof ASYNC_OPTIONS_TYPE): DynamicModule {
    const mistakes = pathMistakes(options.path);
    if (mistakes.length > 0) throw new SwaggerUiOptionsError(mistakes);
    return super.forRootAsync(options);
  }
}

function trimmed(path = 'docs'): string {
  return path.replaceAll(/^\/+|\/+$/g, '');
}

function pathMistakes(path: unknown): string[] {
  if (path === undefined) return [];
  if (typeof path !== 'string') return ['path: must be a string'];
  return trimmed(path) === ''
    ? ['path: must not be empty, or the docs take every path of the app']
    : [];
}
