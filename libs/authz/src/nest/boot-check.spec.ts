import { ProtoModule } from '@apix/proto';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  Controller,
  Get,
  type INestApplication,
  Inject,
  Module,
  Scope,
  SetMetadata,
  type Type,
} from '@nestjs/common';
import { NestFactory, REQUEST } from '@nestjs/core';
import {
  GrpcMethod,
  GrpcStreamCall,
  GrpcStreamMethod,
  MessagePattern,
  Transport,
} from '@nestjs/microservices';
import { PolicyError } from '../errors.js';
import { AuthzModule } from './authz.module.js';
import { DefaultRequires, EnforceMethod, Public, Requires } from './authz.decorators.js';
import { SHOP, subjectFromHeader } from './shop.fixture.js';

const ADMIN = { roles: { anyOf: ['admin'] } };
let app: INestApplication | undefined;
afterEach(async () => {
  await app?.close();
  app = undefined;
});

function appOf(controllers: readonly Type[]): Type {
  @Module({
    imports: [
      ProtoModule.forRoot({ descriptors: SHOP }),
      AuthzModule.forRoot({ subject: subjectFromHeader }),
    ],
    controllers: [...controllers],
  })
  class App {}
  return App;
}

async function mistakesOf(...controllers: readonly Type[]): Promise<readonly string[]> {
  app = await NestFactory.create(appOf(controllers), { logger: false, abortOnError: false });
  try {
    await app.init();
    return [];
  } catch (error) {
    return error instanceof PolicyError ? error.mistakes : [String(error)];
  }
}

/** Replaces a method, as decorators for transactions and caches do, and keeps nothing of it. */
function wrapped(_: object, __: string, descriptor: PropertyDescriptor): void {
  const inner = descriptor.value as (...args: unknown[]) => unknown;
  descriptor.value = function (this: unknown, ...args: unknown[]): unknown {
    return inner.apply(this, args);
  };
}

class Parent {
  @Get('one')
  @Requires(ADMIN)
  one() {}
}

@Controller('child')
class OverridingController extends Parent {
  @Get('one')
  override one() {}
}

@Controller('repeats')
class RepeatingController extends Parent {
  @Get('one')
  @Public()
  override one() {}
}

@Controller('wrapped')
class WrappedController {
  @Get('under')
  @wrapped
  @Requires(ADMIN)
  under() {}

  @Get('above')
  @Requires(ADMIN)
  @wrapped
  above() {}
}

@Controller('twice')
class TwiceController {
  @Get()
  @Public()
  @Requires(ADMIN)
  both() {}
}

@Controller('defaults')
@Public()
@DefaultRequires(ADMIN)
class DefaultsController {
  @Get()
  any() {}
}

@Controller({ path: 'unknown', scope: Scope.REQUEST })
class UnknownController {
  constructor(@Inject(REQUEST) readonly request: unknown) {}

  @Get()
  @EnforceMethod('/test.Orders/Cancle')
  cancel() {}

  @Get('impossible')
  @Requires({ roles: { allOf: ['a'], noneOf: ['a'] }, permissions: { anyOf: [''] } })
  impossible() {}
}

@Controller()
class RpcController {
  @GrpcMethod('Orders', 'Cancel')
  @Requires(ADMIN)
  cancel() {}

  @GrpcMethod('test.Orders', 'Bare')
  bare() {}

  @GrpcStreamMethod('Orders', 'Talk')
  talk() {}

  @GrpcStreamCall('other.Orders', 'Cancel')
  other() {}

  @GrpcMethod('Health', 'Check')
  health() {}
}

@Controller()
@DefaultRequires(ADMIN)
class DefaultRpcController {
  @GrpcMethod('Orders', 'Cancel')
  cancel() {}

  @MessagePattern('fine')
  fine() {}
}

@Controller()
class InfrastructureController {
  @GrpcMethod('grpc.health.v1.Health', 'Check')
  check() {}
}

@Controller('unserved')
class UnservedController {
  @Requires({ roles: { anyOf: [''] } })
  @SetMetadata('x', 1)
  notAHandler() {}
}

@Controller('misspelt')
@DefaultRequires({ role: { anyOf: ['admin'] } } as object)
class MisspeltController {
  @Get('one')
  @Requires({ roles: { anyof: ['admin'] } } as object)
  one() {}

  @Get('two')
  two() {}

  @Get('three')
  @Requires({ roles: ['admin'] } as object)
  three() {}
}

describe('a misspelt rule of a decorator, which would let everyone in', () => {
  it('keeps the app from starting', async () => {
    expect(await mistakesOf(MisspeltController)).toEqual([
      'MisspeltController.one: roles.anyof: is not known here; did you mean anyOf?',
      'MisspeltController.two: role: is not known here; did you mean roles?',
      'MisspeltController.three: roles: must be an object, not an array',
    ]);
  });
});

describe('the app does not start', () => {
  it.each<[string, Type, RegExp]>([
    [
      'for a policy that an override drops',
      OverridingController,
      /^OverridingController\.one: its policy is lost/,
    ],
    [
      'for a policy under a decorator that replaces the method',
      WrappedController,
      /^WrappedController\.under: its policy is lost/,
    ],
    [
      'for two policies on one handler',
      TwiceController,
      /^TwiceController\.both: has several policies/,
    ],
    [
      'for two defaults on one controller',
      DefaultsController,
      /^DefaultsController\.any: its controller has several default policies/,
    ],
    [
      'for a policy on an RPC by its controller',
      DefaultRpcController,
      /^DefaultRpcController\.cancel: an RPC takes its policy from the \.proto file/,
    ],
  ])('%s', async (_, controller, message) => {
    const mistakes = await mistakesOf(controller);
    expect(mistakes).toHaveLength(1);
    expect(mistakes[0]).toMatch(message);
  });

  it('and names all that is wrong at once', async () => {
    expect(await mistakesOf(UnknownController, RpcController, TwiceController)).toEqual([
      'UnknownController.cancel: @EnforceMethod("/test.Orders/Cancle"): the descriptors have no such method',
      'UnknownController.impossible: roles can never pass: "a" is in all_of and in none_of',
      'UnknownController.impossible: permissions.any_of contains an empty string; remove it',
      expect.stringMatching(/^RpcController\.cancel: an RPC takes its policy/),
      expect.stringMatching(/^RpcController\.talk: serves Orders\/Talk, which is not in the/),
      expect.stringMatching(/^RpcController\.other: serves other\.Orders\/Cancel, which/),
      expect.stringMatching(/^RpcController\.health: serves Health\/Check, which/),
      expect.stringMatching(/^TwiceController\.both/),
    ]);
  });

  it.each([undefined, {}, { inheritAppConfig: false }])(
    'as a hybrid app whose guard would not run, with %j',
    async (hybrid) => {
      app = await NestFactory.create(appOf([]), { logger: false, abortOnError: false });
      const options = { transport: Transport.TCP, options: { port: 0 } } as const;
      const connect = (): unknown => app?.connectMicroservice(options, hybrid);
      expect(connect).toThrow(/inheritAppConfig: true/);
    },
  );
});

it('the app starts with policies that are repeated, above the wrapper, or on no handler', async () => {
  expect(
    await mistakesOf(RepeatingController, InfrastructureController, UnservedController),
  ).toEqual([]);
});

it('a hybrid app without AuthzModule may do as it likes', async () => {
  @Module({})
  class Plain {}
  const guarded = await NestFactory.create(appOf([]), { logger: false, abortOnError: false });
  app = await NestFactory.create(Plain, { logger: false });
  const options = { transport: Transport.TCP, options: { port: 0 } } as const;
  const plain = app;
  expect(() => plain.connectMicroservice(options)).not.toThrow();
  await guarded.close();
});
