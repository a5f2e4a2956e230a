import { Code } from '@apix/contracts';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, type INestApplicationContext, Module } from '@nestjs/common';
import { ExternalContextCreator, NestFactory } from '@nestjs/core';
import type { AuthorizerOptions } from '../decide/authorizer-options.js';
import type { Decision } from '../decide/decision.js';
import { AuthzModule } from './authz.module.js';
import { DefaultRequires, Public, Requires } from './policy.decorators.js';

@Controller()
@DefaultRequires({})
class Resolver {
  @Public()
  open() {
    return 'in';
  }

  @Requires({ roles: { anyOf: ['admin'] } })
  own() {
    return 'in';
  }

  byDefault() {
    return 'in';
  }
}

let app: INestApplicationContext;
afterEach(() => app.close());

/** Has Nest guard a method as its GraphQL and WebSocket modules do, and calls it. */
async function call(
  type: string,
  method: keyof Resolver,
  options: Partial<AuthorizerOptions> = {},
) {
  const decided: Decision[] = [];
  @Module({
    imports: [
      AuthzModule.forRoot({
        subject: () => ({ roles: ['admin'], permissions: [] }),
        onDecision: (decision) => void decided.push(decision),
        ...options,
      }),
    ],
    controllers: [Resolver],
  })
  class App {}
  app = await NestFactory.create(App, { logger: false, abortOnError: false });
  const resolver = app.get(Resolver);
  const handler = app
    .get(ExternalContextCreator)
    .create(
      resolver,
      resolver[method].bind(resolver),
      method,
      undefined,
      undefined,
      undefined,
      undefined,
      { guards: true, interceptors: true, filters: true },
      type,
    );
  const answer: unknown = await handler(undefined, {}, {}, {}).catch((error: unknown) => error);
  return { answer, decided };
}

describe.each(['ws', 'graphql', 'necord'])('a context of type %j', (type) => {
  it.each(['open', 'own', 'byDefault'] as const)(
    'is denied, whatever %s asks for',
    async (method) => {
      const { answer, decided } = await call(type, method);
      expect(answer).toMatchObject({ code: Code.PERMISSION_DENIED });
      expect(decided).toMatchObject([{ allowed: false, reason: 'unknown_door' }]);
    },
  );
});

it('shadow mode reports it, and lets it through as every other call', async () => {
  const { answer, decided } = await call('ws', 'own', { mode: 'shadow' });
  expect(answer).toBe('in');
  expect(decided).toMatchObject([{ reason: 'unknown_door', shadow: true }]);
});
