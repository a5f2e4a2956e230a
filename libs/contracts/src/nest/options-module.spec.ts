import { describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
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

  it.each([undefined, null, 'shadow'])('refuses forRoot with %p', (options) => {
    expect(() => ShopModule.forRoot(options as never)).toThrow(
      /^shop: ShopModule\.forRoot: options must be an object, not /,
    );
  });

  it.each([
    ['undefined', () => undefined],
    ['a promise of null', async () => null],
    ['a string', () => 'shadow'],
  ])('does not start with a factory that returns %s', async (_, make) => {
    const useFactory = make as () => object;
    @Module({ imports: [ShopModule.forRootAsync({ useFactory })] })
    class App {}
    await expect(
      NestFactory.createApplicationContext(App, { logger: false, abortOnError: false }),
    ).rejects.toThrow(/^shop: ShopModule: options must be an object, not /);
  });

  it('gives the options of a factory, with what was injected into it', async () => {
    const FIXED = Symbol('fixed');
    const useFactory = async (mode: string): Promise<{ mode: string }> => ({ mode });
    @Module({ providers: [{ provide: FIXED, useValue: 'shadow' }], exports: [FIXED] })
    class FixedModule {}
    @Module({
      imports: [ShopModule.forRootAsync({ imports: [FixedModule], inject: [FIXED], useFactory })],
    })
    class App {}
    const app = await NestFactory.createApplicationContext(App, { logger: false });
    expect(app.get(TOKEN, { strict: false })).toEqual({ mode: 'shadow' });
    await app.close();
  });
});
