import { describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { optionsModule } from './options-module.js';

const TOKEN = Symbol('options');

const { ConfigurableModuleClass } = optionsModule<{ readonly mode?: string }, 'createOptions'>({
  name: 'shop: ShopModule',
  token: TOKEN,
  factoryMethod: 'createOptions',
});

@Module({})
class ShopModule extends ConfigurableModuleClass {}

const useFactory = (): object => ({});
type AsyncOptions = Parameters<typeof ShopModule.forRootAsync>[0];

describe('a module with options', () => {
  it('is global unless it is told otherwise, by forRoot and forRootAsync', () => {
    expect(ShopModule.forRoot({})).toMatchObject({ module: ShopModule, global: true });
    expect(ShopModule.forRoot({ isGlobal: false }).global).toBe(false);
    expect(ShopModule.forRootAsync({ useFactory })).toMatchObject({
      module: ShopModule,
      global: true,
    });
    expect(ShopModule.forRootAsync({ useFactory, isGlobal: false }).global).toBe(false);
  });

  it.each([
    [{ useFactory, injct: [TOKEN] }, 'injct: is not known here; did you mean inject?'],
    [{ useFactory, isGlobl: false }, 'isGlobl: is not known here; did you mean isGlobal?'],
    [{ useFactory: {} }, 'useFactory: must be a function, not an object'],
    [{}, 'needs useFactory, useClass or useExisting'],
    [undefined, 'must be an object, not undefined'],
  ])('refuses forRootAsync with %j', (options, what) => {
    expect(() => ShopModule.forRootAsync(options as AsyncOptions)).toThrow(what);
  });
});
