import { ProtoModule } from '@apix/proto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type INestApplicationContext, Injectable, Module, type Provider } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AuthzModule } from './authz.module.js';
import { Requires } from './authz.decorators.js';
import { SHOP } from './shop.fixture.js';

@Injectable()
class Nightly {
  @Requires({ roles: { anyOf: ['admin'] } })
  run() {}
}

const IDLE = /^the policies of Nightly\.run hold only where Nest asks guards/;

let app: INestApplicationContext | undefined;
afterEach(async () => {
  await app?.close();
  app = undefined;
});

/** What AuthzModule says at the start about policies that nobody asks for. */
async function idleWith(providers: Provider[]): Promise<string[]> {
  const lines: string[] = [];
  const note = (text: unknown, context: unknown): void => {
    if (context === 'AuthzModule' && String(text).includes('hold only')) lines.push(String(text));
  };
  @Module({
    imports: [
      ProtoModule.forRoot({ descriptors: SHOP }),
      AuthzModule.forRoot({ subject: () => null }),
    ],
    providers,
  })
  class App {}
  const made = await NestFactory.create(App, {
    logger: { log: note, warn: note, error: () => {}, fatal: () => {} },
    abortOnError: false,
  });
  app = made;
  await made.init();
  return lines;
}

describe('policies on methods of a provider are found', () => {
  it.each<[string, Provider[]]>([
    ['that is a class', [Nightly]],
    ['by another token', [{ provide: 'nightly', useClass: Nightly }]],
    ['that a factory makes', [{ provide: 'nightly', useFactory: () => new Nightly() }]],
    [
      'that an async factory makes',
      [{ provide: 'nightly', useFactory: async () => Promise.resolve(new Nightly()) }],
    ],
    ['that is a value', [{ provide: 'nightly', useValue: new Nightly() }]],
    ['once, if it is there twice', [Nightly, { provide: 'again', useExisting: Nightly }]],
  ])('%s', async (_how, providers) => {
    expect(await idleWith(providers)).toEqual([expect.stringMatching(IDLE)]);
  });
});

describe('policies are not looked for in a provider that is', () => {
  /** Says that it is whatever it is asked for. */
  const anything = new Proxy(
    {},
    { get: (_target, key) => (key === 'constructor' ? Nightly : undefined) },
  );

  it.each<[string, unknown]>([
    ['null', null],
    ['a function', () => {}],
    ['an object without a prototype', Object.create(null)],
    ['a proxy', anything],
    ['made of a proxy', Object.create(anything)],
    ['made by what is no class', Object.create({ constructor: () => {} })],
  ])('%s', async (_what, useValue) => {
    expect(await idleWith([{ provide: 'odd', useFactory: () => useValue }])).toEqual([]);
  });
});
