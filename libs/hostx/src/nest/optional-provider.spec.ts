import { describe, expect, it } from '@jest/globals';
import { Injectable, Module, Scope } from '@nestjs/common';
import { ModulesContainer, NestFactory } from '@nestjs/core';
import { optionalProvider, singletonsOf } from './optional-provider.js';

@Injectable()
class Single {}

@Injectable({ scope: Scope.TRANSIENT })
class Transient {}

@Injectable({ scope: Scope.REQUEST })
class OfRequest {}

@Injectable()
class OnRequest {
  constructor(readonly request: OfRequest) {}
}
Reflect.defineMetadata('design:paramtypes', [OfRequest], OnRequest);

class Missing {}

@Module({
  providers: [Single, { provide: 'alias', useExisting: Single }, Transient, OfRequest, OnRequest],
})
class App {}

async function modulesOf(): Promise<ModulesContainer> {
  const app = await NestFactory.createApplicationContext(App, { logger: false });
  return app.get(ModulesContainer);
}

describe('a provider that an app may be without', () => {
  it('is the one that the app has', async () => {
    expect(optionalProvider(await modulesOf(), Single)).toBeInstanceOf(Single);
  });

  it.each([Missing, Transient, OfRequest, OnRequest])(
    'is none where it is missing or of another scope: %p',
    async (token) => {
      expect(optionalProvider(await modulesOf(), token as never)).toBeUndefined();
    },
  );
});

describe('the singletons of an app', () => {
  it('are each there once, and what Nest keeps for other scopes is none of them', async () => {
    const all = singletonsOf(await modulesOf());
    const count = (type: new (...args: never[]) => object): number =>
      all.filter((one) => one instanceof type).length;
    expect([Single, Transient, OfRequest, OnRequest].map(count)).toEqual([1, 0, 0, 0]);
  });
});
