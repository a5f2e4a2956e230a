import { GatewayRef } from '@apix/gateway';
import { expect } from '@jest/globals';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import request from 'supertest';
import type { StockApp } from './app.fixture.js';

type Try = (stock: StockApp) => Promise<void>;

const ask = ({ app }: StockApp) => request(app.getHttpServer());

const documentOf = ({ app }: StockApp): OpenAPIObject => {
  const config = new DocumentBuilder().setTitle('Shop').setOpenAPIVersion('3.1.0').build();
  return SwaggerModule.createDocument(app, config);
};

/** What is tried for each row of docs/compatibility.md, by its first cell. */
export const TRIED: Readonly<Record<string, Try>> = {
  async '`@UseGuards`'(stock) {
    const { body } = await ask(stock).get('/stock/nobody').expect(403);
    expect(body).toEqual({ message: 'Forbidden resource', error: 'Forbidden', statusCode: 403 });
  },

  async 'a global guard, `APP_GUARD`'(stock) {
    await ask(stock).get('/stock/open').expect(200, 'open');
    await ask(stock).get('/stock/open').set('x-locked', '1').expect(403);
    await ask(stock).get('/stock/staff').expect(401);
    await ask(stock).get('/stock/staff').set('x-role', 'staff').expect(200, 'staff');
    await ask(stock).get('/stock/staff').set({ 'x-role': 'staff', 'x-locked': '1' }).expect(403);
  },

  async pipes(stock) {
    await ask(stock).get('/stock/number/21').expect(200, { twice: 42 });
    const { body } = await ask(stock).get('/stock/number/many').expect(400);
    expect(body).toEqual({
      message: 'Validation failed (numeric string is expected)',
      error: 'Bad Request',
      statusCode: 400,
    });
  },

  async 'DTOs, `ValidationPipe` with class-validator'(stock) {
    const order = { title: 'pot', count: '2', colour: 'red' };
    await ask(stock).post('/stock/orders').send(order).expect(201, { count: 2, isDto: true });
    const { body } = await ask(stock).post('/stock/orders').send({ count: 0 }).expect(400);
    expect(body).toEqual({
      message: ['title must be a string', 'count must not be less than 1'],
      error: 'Bad Request',
      statusCode: 400,
    });
  },

  async 'interceptors, `APP_INTERCEPTOR`'(stock) {
    await ask(stock).get('/stock/enveloped').expect(200, { data: 'inside' });
  },

  async '`ClassSerializerInterceptor`'(stock) {
    await ask(stock).get('/stock/view').expect(200, { id: 'o1' });
  },

  async 'module middleware'(stock) {
    const { text } = await ask(stock).get('/stock/middleware').expect(200);
    expect(text).toBe('middleware');
  },

  async 'versioning by URI'(stock) {
    await ask(stock).get('/v1/stock/versioned').expect(200, 'first');
    await ask(stock).get('/v2/stock/versioned').expect(200, 'second');
    // The gateway has paths that begin with v1 too; nobody answers behind it.
    const { body } = await ask(stock).get('/v1/products').expect(503);
    expect(body).toMatchObject({ code: 'UNAVAILABLE' });
    await ask(stock).get('/v1/nothing').expect(404);
  },

  async 'cookie-session'(stock) {
    const agent = request.agent(stock.app.getHttpServer());
    await agent.get('/express/visits').expect(200, { visits: 1 });
    await agent.get('/express/visits').expect(200, { visits: 2 });
  },

  async 'uploads by multer, `FileInterceptor`'(stock) {
    await ask(stock)
      .post('/express/files')
      .attach('file', Buffer.alloc(70_000, 'x'), 'x.txt')
      .expect(201, { name: 'x.txt', size: 70_000 });
  },

  async '`@nestjs/swagger`, side by side'(stock) {
    const paths = Object.keys(documentOf(stock).paths);
    expect(paths).toContain('/stock/orders');
    // Neither health nor metrics nor rules of the gateway are controllers.
    const prefixes = stock.platform === 'Express' ? ['/stock', '/express'] : ['/stock'];
    const versioned = /^\/v[12](?=\/)/;
    const isOurs = (path: string): boolean =>
      prefixes.some((prefix) => path.replace(versioned, '').startsWith(prefix));
    expect(paths.filter((path) => !isOurs(path))).toEqual([]);
    const ours = stock.app.get(GatewayRef, { strict: false }).openapi();
    expect(Object.keys(ours.paths)).toContain('/v1/products');
  },

  async '`@nestjs/swagger`, merged'(stock) {
    const theirs = documentOf(stock);
    const ours = stock.app.get(GatewayRef, { strict: false }).openapi();
    const merged = {
      ...theirs,
      paths: { ...theirs.paths, ...ours.paths },
      components: {
        ...theirs.components,
        schemas: { ...theirs.components?.schemas, ...ours.components.schemas },
        securitySchemes: {
          ...theirs.components?.securitySchemes,
          ...ours.components.securitySchemes,
        },
      },
    };
    expect(Object.keys(merged.paths)).toEqual(
      expect.arrayContaining(['/stock/orders', '/v1/products']),
    );
    const { Validator } = await import('@seriousme/openapi-schema-validator');
    expect(await new Validator().validate(merged)).toEqual({ valid: true });
  },

  async supertest(stock) {
    await ask(stock).get('/healthz').expect(200);
    const { text } = await ask(stock).get('/metrics').expect(200);
    expect(text).toContain('hostx_host_up');
    await ask(stock).get('/stock/open').set('x-request-id', 'r-1').expect(200);
    expect(stock.logged.messages.filter((text) => text === 'GET /stock/open -> 200')).not.toEqual(
      [],
    );
  },
};
