import { ProtoModule } from '@apix/proto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, type INestApplicationContext, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { MessagePattern, Transport } from '@nestjs/microservices';
import { policySet } from '../policy-set.fixture.js';
import { AuthzModule, type AuthzModuleOptions } from './authz.module.js';
import { EnforceMethod, Public, Requires } from './authz.decorators.js';

@Controller('reports')
class ReportsController {
  @Get()
  list() {}

  @Get('own')
  @Requires({})
  own() {}

  @Get('open')
  @Public()
  open() {}

  @Get('cancel')
  @EnforceMethod('/test.Orders/Cancel')
  cancel() {}

  @MessagePattern('audit')
  audit() {}

  notServed() {}
}

const ADMIN = { requires: { roles: { anyOf: ['admin'] } } };
const SET = policySet({
  Orders: { methods: { Cancel: ADMIN, Bare: {}, Open: { requires: { public: true } } } },
  Aged: { methods: { Old: {} } },
});

let app: INestApplicationContext | undefined;
afterEach(() => app?.close());

interface Heard {
  readonly warnings: string[];
  readonly logger: Pick<Console, 'log' | 'warn' | 'error'>;
}

function listen(): Heard {
  const warnings: string[] = [];
  const warn = (...words: unknown[]): void => void warnings.push(words.join(' '));
  return { warnings, logger: { log: () => {}, warn, error: () => {} } };
}

function appOf(options: Partial<AuthzModuleOptions>, descriptors = SET): Type {
  @Module({
    imports: [
      ProtoModule.forRoot({ descriptors }),
      AuthzModule.forRoot({ subject: () => null, ...options }),
    ],
    controllers: [ReportsController],
  })
  class App {}
  return App;
}

/** What an HTTP app warns of when it starts. */
async function warnings(options: Partial<AuthzModuleOptions>, descriptors = SET) {
  const { warnings: heard, logger } = listen();
  const http = await NestFactory.create(appOf(options, descriptors), {
    logger,
    abortOnError: false,
  });
  app = http;
  await http.init();
  return heard;
}

const UNANNOTATED =
  'anyone may call /test.Aged/Old, /test.Orders/Bare, ReportsController.audit, ' +
  'ReportsController.list, because they have no policy; add one to each, or refuse them with ' +
  "unannotated: 'deny' AuthzModule";

describe('the app warns at its start', () => {
  it("once of everything that unannotated: 'allow' leaves open, sorted", async () => {
    expect(await warnings({})).toEqual([UNANNOTATED]);
  });

  it('once of everything that shadow mode leaves open', async () => {
    expect(await warnings({ mode: 'shadow', unannotated: 'deny' })).toEqual([
      'anyone may call /test.Aged/Old, /test.Orders/Bare, /test.Orders/Cancel, ' +
        'ReportsController.audit, ReportsController.cancel, ReportsController.list, ' +
        "ReportsController.own, because mode: 'shadow' refuses no call; remove it to enforce " +
        'the policies AuthzModule',
    ]);
  });

  it('with twenty names at most, and the number of the others', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `M${index}`);
    const methods = Object.fromEntries(names.map((name) => [name, {}]));
    const [warning, ...others] = await warnings(
      {},
      policySet({ Orders: { methods: { ...methods, Cancel: ADMIN } } }),
    );
    expect(others).toEqual([]);
    expect(warning?.match(/\/test\.Orders\/M\d+, /g)).toHaveLength(20);
    expect(warning).toContain(', and 12 more, because');
  });

  it('as a microservice', async () => {
    const { warnings: heard, logger } = listen();
    const service = await NestFactory.createMicroservice(appOf({}), {
      transport: Transport.TCP,
      options: { port: 0 },
      logger,
      abortOnError: false,
    });
    app = service;
    await service.listen();
    expect(heard).toEqual([UNANNOTATED]);
  });
});

describe('the app warns of nothing', () => {
  it.each<[string, Partial<AuthzModuleOptions>]>([
    ["with unannotated: 'deny'", { unannotated: 'deny' }],
    [
      "with unannotated: 'deny' and exempt methods",
      { unannotated: 'deny', exempt: ['/test.Aged/*'] },
    ],
  ])('%s', async (_, options) => {
    expect(await warnings(options)).toEqual([]);
  });

  it.each(['allow', 'deny'] as const)(
    'as a context that serves nothing, with unannotated: %p and in shadow mode',
    async (unannotated) => {
      const { warnings: heard, logger } = listen();
      const module = appOf({ mode: 'shadow', unannotated });
      app = await NestFactory.createApplicationContext(module, { logger, abortOnError: false });
      expect(heard).toEqual([]);
    },
  );
});
