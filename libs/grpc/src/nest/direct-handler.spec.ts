import 'reflect-metadata';
import { STAGED_PART } from '@apix/contracts/internal';
import { startHost } from '@apix/hostx/testing';
import { describe, expect, it } from '@jest/globals';
import {
  type ArgumentsHost,
  type CanActivate,
  Catch,
  Controller,
  createParamDecorator,
  type ExceptionFilter,
  type ExecutionContext,
  Injectable,
  Module,
  type NestInterceptor,
  type PipeTransform,
  type Provider,
  Scope,
  UseFilters,
  UseGuards,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE, ApplicationConfig } from '@nestjs/core';
import { Ctx, GrpcMethod, Payload, RpcException } from '@nestjs/microservices';
import { EMPTY, from, of, throwError } from 'rxjs';
import { type Answer, call, clientOf, probe } from '../../../grpc-client/src/client.fixture.js';
import { type Text, probeApp } from '../probe.fixture.js';
import { GrpcServer } from './grpc-server.js';

const unary = probe.services[0]!.methods.find(({ name }) => name === 'Unary')!;

/** Whether Nest's own code around handlers is on the stack. */
function isWithinNest(): boolean {
  return /rpc-context-creator|rpc-proxy/.test(new Error('here').stack ?? '');
}

const PASSES: NestInterceptor = { intercept: (_, next) => next.handle() };
/** Keeps handlers on Nest's way. */
const OF_THE_APP: Provider = { provide: APP_INTERCEPTOR, useValue: PASSES };

const Late = createParamDecorator(() => Promise.resolve('late'));
const Refuses = createParamDecorator(() => {
  throw new RpcException({ code: 9, message: 'no such argument' });
});

@Catch(TypeError)
class TypeErrors implements ExceptionFilter {
  catch(error: TypeError, host: ArgumentsHost): unknown {
    const of = host.getArgs<[Text, object, object]>();
    const said = `${error.message} ${host.getType()} ${of.length} ${of[0].stringValue}`;
    return throwError(() => new RpcException({ code: 10, message: said }).getError());
  }
}

@Catch(RangeError)
class Throwing implements ExceptionFilter {
  catch(error: RangeError): never {
    throw error;
  }
}

@Catch(SyntaxError)
class Mending implements ExceptionFilter {
  catch(): unknown {
    return of({ stringValue: 'mended' });
  }
}

async function answerOf(controller: new () => object, providers: Provider[]): Promise<Answer> {
  @Module({ imports: [probeApp([controller])], providers })
  class App {}
  const started = await startHost(App, { http: false, nest: { logger: false } });
  try {
    const client = clientOf(started.app!.get(GrpcServer).address);
    return await call(client, unary, [{ stringValue: 'x' }]);
  } finally {
    await started.stop();
  }
}

/** What a caller sees. */
function seen({ status, details, messages, trailers }: Answer): unknown {
  const { date: _, ...others } = trailers.getMap();
  return { status, details, messages, trailers: others };
}

/** Something that is awaited, and is no promise. */
const thenable = (then: (take: (of: Text) => void) => void): object =>
  new Proxy({}, { get: (_, key) => (key === 'then' ? then : undefined) });

const throwing = (): never => {
  throw new Error('hunter2');
};
const proxyThrowing = (): object => new Proxy({}, { get: throwing, has: throwing });

type Handler = (request: Text, ...others: unknown[]) => unknown;

const HANDLERS: Readonly<Record<string, Handler>> = {
  'a message': ({ stringValue }) => ({ stringValue: `${stringValue}!` }),
  'a promise': ({ stringValue }) => Promise.resolve({ stringValue }),
  'another thenable': () => thenable((take) => take({ stringValue: 'then' })),
  'an Observable': () => of({ stringValue: 'first' }),
  'a promise of an Observable': () => Promise.resolve(of({ stringValue: 'first' })),
  'an Observable of a promise': () => of(Promise.resolve({ stringValue: 'first' })),
  'an Observable of null': () => of(null),
  'an Observable without a value': () => EMPTY,
  'an Observable of several': () => from([{ stringValue: '1' }, { stringValue: '2' }]),
  'a proxy that throws': () => proxyThrowing(),
  'a promise of a proxy that throws': () => Promise.resolve().then(proxyThrowing),
  'a proxy whose class cannot be read': () => new Proxy({}, { getPrototypeOf: throwing }),
  nothing: () => undefined,
  null: () => null,
  'what cannot be encoded': () => ({ stringValue: 7 }),
  'the arguments': (...args) => ({ stringValue: `${args.length} ${typeof args[2]}` }),
  'a thrown error': () => {
    throw new Error('hunter2');
  },
  'a thrown RpcException': () => {
    throw new RpcException({ code: 6, message: 'is there' });
  },
  'a rejected RpcException': () => Promise.reject(new RpcException({ code: 6, message: 'is' })),
  'an Observable that fails': () => throwError(() => new RpcException({ code: 6, message: 'is' })),
  'an error for a filter': () => {
    throw new TypeError('wrong type');
  },
  'an error for a filter that throws': () => {
    throw new RangeError('hunter2');
  },
  'an error for a filter that answers with a value': () => Promise.reject(new SyntaxError('x')),
  'an Observable with an error for a filter': () => throwError(() => new TypeError('wrong type')),
};

describe('a unary handler with nothing of the app around it', () => {
  it.each(Object.entries(HANDLERS))('answers as by the way of Nest: %s', async (_, handler) => {
    const way: boolean[] = [];
    @Controller()
    @UseFilters(TypeErrors, Throwing, Mending)
    class Probe {
      @GrpcMethod('Probe', 'Unary') unary(...args: Parameters<Handler>): unknown {
        way.push(isWithinNest());
        return handler(...args);
      }
    }
    const direct = seen(await answerOf(Probe, []));
    expect(direct).toEqual(seen(await answerOf(Probe, [OF_THE_APP])));
    expect(way).toEqual([false, true]);
  });

  it('gets the arguments that its decorators ask for, also those that are promised', async () => {
    const got: unknown[] = [];
    @Controller()
    class Probe {
      @GrpcMethod('Probe', 'Unary')
      unary(@Late() late: string, @Payload('stringValue') text: string, @Ctx() context: object) {
        got.push([late, text, context.constructor.name, isWithinNest()]);
        return {};
      }
    }
    await answerOf(Probe, []);
    await answerOf(Probe, [OF_THE_APP]);
    expect(got).toEqual([
      ['late', 'x', 'Metadata', false],
      ['late', 'x', 'Metadata', true],
    ]);
  });

  it('fails where an argument cannot be had', async () => {
    @Controller()
    class Probe {
      @GrpcMethod('Probe', 'Unary') unary(@Refuses() text: never) {
        return { stringValue: text };
      }
    }
    const answer = await answerOf(Probe, []);
    expect(seen(answer)).toEqual(seen(await answerOf(Probe, [OF_THE_APP])));
    expect(answer).toMatchObject({ status: 'FAILED_PRECONDITION', details: 'no such argument' });
  });
});

class Refusing implements CanActivate {
  canActivate(): boolean {
    return false;
  }
}
/** As a guard whose stage has decided before; whoever derives from it may have more to say. */
class Staged implements CanActivate {
  get [STAGED_PART](): object {
    return { stage: this.stage };
  }
  readonly stage: string | undefined = undefined;
  canActivate(): boolean {
    return false;
  }
}
class Derived extends Staged {}
class OfAnotherStage extends Staged {
  override get [STAGED_PART](): object {
    return { stage: 'absent' };
  }
}
const replaced = Object.assign(new Staged(), { canActivate: () => false });
const passing = { transform: (value: unknown) => value } satisfies PipeTransform;
/** Nest 11 has no hooks around guards. */
const HAS_HOOKS = 'registerPreRequestHook' in ApplicationConfig.prototype;
interface Hooked {
  registerPreRequestHook?(hook: (context: ExecutionContext, next: () => unknown) => unknown): void;
}
const hook = (_: ExecutionContext, next: () => unknown): unknown => next();

describe('what an app has around its handlers', () => {
  const GUARDS: readonly [string, object][] = [
    ['a guard', new Refusing()],
    ['a guard derived from one that a stage stands for', new Derived()],
    ['one whose stage is not in the chain', new OfAnotherStage()],
    ['one whose method was replaced', replaced],
  ];

  it.each(GUARDS)('refuses: %s', async (_, guard) => {
    let isReached = false;
    @Controller()
    class Probe {
      @GrpcMethod('Probe', 'Unary') unary() {
        isReached = true;
        return {};
      }
    }
    const { status } = await answerOf(Probe, [{ provide: APP_GUARD, useValue: guard }]);
    expect([status, isReached]).toEqual(['UNKNOWN', false]);
    @Controller()
    @UseGuards(guard as CanActivate)
    class Guarded extends Probe {}
    expect([(await answerOf(Guarded, [])).status, isReached]).toEqual(['UNKNOWN', false]);
  });

  it.each<[string, Provider[], boolean]>([
    ['a guard that a stage stands for', [{ provide: APP_GUARD, useValue: new Staged() }], false],
    ['an interceptor', [OF_THE_APP], true],
    ['a pipe', [{ provide: APP_PIPE, useValue: passing }], true],
    ['a filter', [{ provide: APP_FILTER, useClass: TypeErrors }], false],
    [
      'a hook',
      [
        {
          provide: 'HOOK',
          inject: [ApplicationConfig],
          useFactory: (config: Hooked) => config.registerPreRequestHook?.(hook),
        },
      ],
      HAS_HOOKS,
    ],
  ])('runs, or is not in the way: %s', async (_, providers, isNest) => {
    let way: boolean | undefined;
    @Controller()
    class Probe {
      @GrpcMethod('Probe', 'Unary') unary() {
        way = isWithinNest();
        return {};
      }
    }
    expect(await answerOf(Probe, providers)).toMatchObject({ status: 'OK' });
    expect(way).toBe(isNest);
  });

  it('makes a controller for each call, where it is asked to', async () => {
    let made = 0;
    @Controller()
    @Injectable({ scope: Scope.REQUEST })
    class Probe {
      constructor() {
        made++;
      }
      @GrpcMethod('Probe', 'Unary') unary() {
        return { stringValue: String(made) };
      }
    }
    const { messages } = await answerOf(Probe, []);
    expect(messages).toMatchObject([{ stringValue: '1' }]);
  });
});
