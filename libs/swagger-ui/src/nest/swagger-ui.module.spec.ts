import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { INFRASTRUCTURE_ENDPOINT } from '@apix/contracts';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, type DynamicModule, Get, type INestApplication } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { Test } from '@nestjs/testing';
import { NodeAdapter } from '../../../../tools/testing/node-adapter/node-adapter.js';
import { docsController, SWAGGER_UI_OPTIONS } from './docs-controller.js';
import { SwaggerUiModule, type SwaggerUiModuleOptions } from './swagger-ui.module.js';

const ADAPTERS = {
  Express: () => new ExpressAdapter(),
  Fastify: () => new FastifyAdapter(),
  Node: () => new NodeAdapter(),
} as const;

const shop = { openapi: '3.1.0', info: { title: 'Shop', version: '1' }, paths: {} };
const specs = [{ name: 'shop.json', document: shop }];

@Controller('orders')
class Orders {
  @Get()
  list() {
    return [];
  }
}

describe.each(['Express', 'Fastify'] as const)('SwaggerUiModule on %s', (platform) => {
  let app: INestApplication;
  afterEach(() => app.close());

  async function start(module: DynamicModule, prefix = ''): Promise<string> {
    const testing = await Test.createTestingModule({
      imports: [module],
      controllers: [Orders],
    }).compile();
    app = testing.createNestApplication(ADAPTERS[platform](), { logger: false });
    app.setGlobalPrefix(prefix);
    const document = SwaggerModule.createDocument(app, new DocumentBuilder().build());
    SwaggerModule.setup('api', app, document, { ui: false, useGlobalPrefix: true });
    await app.listen(0, '127.0.0.1');
    const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  it.each([
    ['docs', '', '/docs'],
    ['/ops/docs/', '', '/ops/docs'],
    ['docs', 'v2', '/v2/docs'],
  ])('serves the path %s below the prefix "%s" at %s', async (path, prefix, at) => {
    const origin = await start(SwaggerUiModule.forRoot({ path, specs }), prefix);
    const page = await fetch(origin + at);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('src="./docs/swagger-ui-bundle.js"');
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    const bundle = await fetch(`${origin}${at}/swagger-ui-bundle.js`);
    expect(bundle.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect((await fetch(`${origin}${at}/nothing.js`)).status).toBe(404);
    expect((await fetch(`${origin}${at}/package.json`)).status).toBe(404);
  });

  it('serves documents of other modules, and stays out of that of @nestjs/swagger', async () => {
    const origin = await start(
      SwaggerUiModule.forRootAsync({
        path: 'docs',
        useFactory: () => ({ specs: [...specs, { name: 'controllers', url: '/api-json' }] }),
      }),
    );
    expect(await (await fetch(`${origin}/docs/shop.json`)).json()).toEqual(shop);
    const { paths } = (await (await fetch(`${origin}/api-json`)).json()) as { paths: object };
    expect(Object.keys(paths)).toEqual(['/orders']);
  });
});

describe('the controller of the docs', () => {
  it('bears the mark of infrastructure endpoints', () => {
    expect(INFRASTRUCTURE_ENDPOINT in docsController('docs')).toBe(true);
  });

  it.each([
    ['forRoot', () => SwaggerUiModule.forRoot({ path: '/', specs })],
    [
      'forRootAsync',
      () => SwaggerUiModule.forRootAsync({ path: '', useFactory: () => ({ specs }) }),
    ],
  ])('cannot have an empty path: %s', (_, make) => {
    expect(make).toThrow(/^swagger-ui: path: must not be empty/);
  });

  it('refuses names that it does not know, by forRoot, forRootAsync and its factory', async () => {
    const misspelt = { specs, titel: 'Shop' };
    const what = 'titel: is not known here; did you mean title?';
    expect(() => SwaggerUiModule.forRoot(misspelt)).toThrow(what);
    const useFactory = (): SwaggerUiModuleOptions => misspelt;
    expect(() => SwaggerUiModule.forRootAsync({ useFactory, pth: 'docs' } as object)).toThrow(
      'pth: is not known here; did you mean path?',
    );
    const module = SwaggerUiModule.forRootAsync({ useFactory });
    await expect(Test.createTestingModule({ imports: [module] }).compile()).rejects.toThrow(what);
  });

  it('reports a wrong path with the other mistakes', () => {
    const options = { path: 5, specs: [] } as unknown as SwaggerUiModuleOptions;
    expect(() => SwaggerUiModule.forRoot(options)).toThrow(
      'swagger-ui: 2 mistakes:\n  path: must be a string\n  specs: must be a list',
    );
  });
});

describe('SwaggerUiModule', () => {
  class Factory {
    createSwaggerUiOptions() {
      return { specs };
    }
  }

  it.each<[string, DynamicModule, boolean]>([
    ['options', SwaggerUiModule.forRoot({ specs }), true],
    ['useFactory', SwaggerUiModule.forRootAsync({ useFactory: () => ({ specs }) }), true],
    ['useClass', SwaggerUiModule.forRootAsync({ useClass: Factory }), true],
    ['isGlobal: false', SwaggerUiModule.forRoot({ specs, isGlobal: false }), false],
  ])('is made from %s', async (_, module, isGlobal) => {
    const testing = await Test.createTestingModule({ imports: [module] }).compile();
    expect(module.global).toBe(isGlobal);
    expect(testing.get(SWAGGER_UI_OPTIONS, { strict: false })).toMatchObject({ specs });
    await testing.close();
  });
});
