import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

/** What a Nest module of ours offers to be configured. */
export interface ConfigurableModule<T extends object> {
  forRoot(options: T & { readonly isGlobal?: boolean }): DynamicModule;
  forRootAsync(options: {
    readonly useFactory?: () => T;
    readonly useClass?: Type;
    readonly isGlobal?: boolean;
  }): DynamicModule;
}

/** Every way to give the same options to a module, each with what it is. */
export function waysToConfigure<T extends object>(
  module: ConfigurableModule<T>,
  factoryMethod: string,
  options: T,
): readonly (readonly [way: string, definition: DynamicModule])[] {
  class Factory {}
  Object.defineProperty(Factory.prototype, factoryMethod, { value: () => options });
  return [
    ['forRoot', module.forRoot(options)],
    ['forRootAsync with useFactory', module.forRootAsync({ useFactory: () => options })],
    ['forRootAsync with useClass', module.forRootAsync({ useClass: Factory })],
  ];
}

/** The options that an app with these modules has under a token. */
export async function optionsIn(
  imports: (DynamicModule | Type)[],
  token: symbol,
): Promise<unknown> {
  @Module({ imports })
  class App {}
  const app = await NestFactory.create(App, { logger: false, abortOnError: false });
  try {
    return app.get<unknown>(token, { strict: false });
  } finally {
    await app.close();
  }
}
