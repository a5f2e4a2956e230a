import { Code } from '@apix/contracts';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  type CanActivate,
  Controller,
  ForbiddenException,
  type INestApplicationContext,
  Injectable,
  Module,
  UseGuards,
} from '@nestjs/common';
import { ExternalContextCreator, NestFactory } from '@nestjs/core';
import type { AuthorizerOptions } from '../decide/authorizer-options.js';
import type { Decision } from '../decide/decision.js';
import { AuthzGuard } from './authz.guard.js';
import { AuthzModule } from './authz.module.js';
import { DefaultRequires, Public, Requires } from './authz.decorators.js';

const asked: string[] = [];

class Asked implements CanActivate {
  canActivate(): boolean {
    asked.push('guard of the app');
    return true;
  }
}

@Controller()
@DefaultRequires({})
class Commands {
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

@Injectable()
@UseGuards(Asked)
class Bare {
  bare() {
    return 'in';
  }

  @UseGuards(AuthzGuard)
  @Public()
  twice() {
    return 'in';
  }
}

let app: INestApplicationContext;
afterEach(async () => {
  asked.length = 0;
  await app.close();
});

/** Has Nest guard a method as other libraries have it done, and calls it. */
async function call(
  type: string,
  method: keyof Commands | keyof Bare,
  options: Partial<AuthorizerOptions> = {},
  args: readonly unknown[] = [undefined, {}, {}],
) {
  const decided: Decision[] = [];
  @Module({
    imports: [
      AuthzModule.forRoot({
        // Whoever may do everything: what it says must not count where nobody knows who calls.
        subject: () => ({ roles: ['admin'], permissions: [] }),
        onDecision: (decision) => void decided.push(decision),
        ...options,
      }),
    ],
    controllers: [Commands],
    providers: [Bare],
  })
  class App {}
  app = await NestFactory.create(App, { logger: false, abortOnError: false });
  const holder = app.get<Commands | Bare>(method in Commands.prototype ? Commands : Bare);
  const run = (holder as unknown as Record<string, () => unknown>)[method]!;
  const handler = app
    .get(ExternalContextCreator)
    .create(
      holder,
      run,
      method,
      undefined,
      undefined,
      undefined,
      undefined,
      { guards: true, interceptors: true, filters: true },
      type,
    );
  const answer: unknown = await handler(...args).catch((error: unknown) => error);
  return { answer, decided };
}

describe.each(['necord', 'http'])('a context of type %j without a caller', (type) => {
  it('lets in what is public, and asks the guards of the app', async () => {
    const { answer, decided } = await call(type, 'open');
    expect(answer).toBe('in');
    expect(decided).toMatchObject([{ allowed: true, reason: 'public', door: 'other' }]);
  });

  it.each(['own', 'byDefault'] as const)(
    'is denied to all where %s has a policy',
    async (method) => {
      const { answer, decided } = await call(type, method);
      expect(answer).toBeInstanceOf(ForbiddenException);
      expect(answer).toMatchObject({
        message: `calls of type "${type}" cannot be authorized`,
        cause: { code: Code.PERMISSION_DENIED },
      });
      expect(decided).toMatchObject([{ allowed: false, reason: 'unknown_door', door: 'other' }]);
    },
  );

  it("without a policy follows unannotated: 'allow', and the guards of the app decide", async () => {
    const { answer, decided } = await call(type, 'bare');
    expect(answer).toBe('in');
    expect(asked).toEqual(['guard of the app']);
    expect(decided).toMatchObject([{ allowed: true, reason: 'unannotated' }]);
  });

  it("without a policy follows unannotated: 'deny'", async () => {
    const { answer, decided } = await call(type, 'bare', { unannotated: 'deny' });
    expect(answer).toMatchObject({ message: 'no one may call this method' });
    expect(decided).toMatchObject([{ allowed: false, reason: 'unannotated' }]);
  });

  it('is decided about once, however often the guard is bound', async () => {
    expect((await call(type, 'twice')).decided).toHaveLength(1);
  });

  it('goes through in shadow mode, and is reported', async () => {
    const { answer, decided } = await call(type, 'own', { mode: 'shadow' });
    expect(answer).toBe('in');
    expect(decided).toMatchObject([{ reason: 'unknown_door', shadow: true }]);
  });
});

it.each([
  [[]],
  [[null, null]],
  [['a text', 7]],
  [[{ headers: {} }, {}]],
  [[{ headers: {}, rawHeaders: [] }, undefined]],
  [[{ raw: null, headers: null }, {}]],
])('what says that it is HTTP and has no request of HTTP is denied: %j', async (args) => {
  expect((await call('http', 'own', {}, args)).answer).toBeInstanceOf(ForbiddenException);
  await app.close();
  expect((await call('http', 'open', {}, args)).answer).toBe('in');
});
