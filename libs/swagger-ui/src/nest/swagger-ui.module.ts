import { ConfigurableModuleBuilder, type DynamicModule, Module } from '@nestjs/common';
import type { SwaggerUiOptions } from '../options.js';
import { docsController } from './docs-controller.js';
import { SWAGGER_UI_OPTIONS } from './tokens.js';

export interface SwaggerUiModuleOptions extends SwaggerUiOptions {
  /** Where the page lies, below the app's global prefix. Default: `docs`. */
  readonly path?: string;
}

const { ConfigurableModuleClass, OPTIONS_TYPE, ASYNC_OPTIONS_TYPE } =
  new ConfigurableModuleBuilder<SwaggerUiOptions>({ optionsInjectionToken: SWAGGER_UI_OPTIONS })
    .setClassMethodName('forRoot')
    .setExtras<{ path?: string }>({}, (definition, { path = 'docs' }) => ({
      ...definition,
      controllers: [docsController(path.replaceAll(/^\/+|\/+$/g, ''))],
    }))
    .build();

/**
 * Serves Swagger UI in a Nest app on Express or Fastify, marked as an endpoint for operators.
 * With `forRootAsync` the `path` stands beside `useFactory`.
 */
@Module({})
export class SwaggerUiModule extends ConfigurableModuleClass {
  static override forRoot(options: SwaggerUiModuleOptions & typeof OPTIONS_TYPE): DynamicModule {
    return super.forRoot(options);
  }

  static override forRootAsync(options: typeof ASYNC_OPTIONS_TYPE): DynamicModule {
    return super.forRootAsync(options);
  }
}
