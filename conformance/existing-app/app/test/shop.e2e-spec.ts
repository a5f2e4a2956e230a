import {
  status as Code,
  credentials,
  loadPackageDefinition,
  type ServiceError,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import type { AddressInfo, Server } from 'node:net';
import { io } from 'socket.io-client';
import request from 'supertest';
import { AppModule } from '../src/app.module.js';
import { adapter } from '../src/platform.js';
import { settings } from '../src/settings.js';
import { setup } from '../src/setup.js';

/** What proto-loader makes of shop.v1.Orders, as far as it is called here. */
interface OrdersClient {
  get(request: { id: string }, done: (error: ServiceError | null, order: object) => void): void;
  close(): void;
}

describe('the shop', () => {
  let app: INestApplication;
  let server: Server;

  beforeAll(async () => {
    const moduleRef = await Test.createTestingModule({ imports: [AppModule] }).compile();
    app = moduleRef.createNestApplication(adapter(), { logger: false });
    await setup(app);
    await app.startAllMicroservices();
    await app.listen(0);
    server = app.getHttpServer() as Server;
  });

  afterAll(() => app.close());

  it('lists orders', () =>
    request(server)
      .get('/api/orders?count=1')
      .expect('Cache-Control', 'no-store')
      .expect('X-Frame-Options', 'SAMEORIGIN')
      .expect(200, {
        count: 1,
        items: [{ id: 'o-1', itemName: 'tea', cents: 350, cancelled: false }],
      }));

  it('tells everything that is wrong with an order', () =>
    request(server)
      .post('/api/orders')
      .send({ itemName: 'x', cents: 0.5 })
      .expect(400, {
        statusCode: 400,
        error: 'Bad Request',
        message: [
          'itemName must be longer than or equal to 2 characters',
          'cents must not be less than 1',
          'cents must be an integer number',
        ],
      }));

  it('answers what is out of stock in its own form', () =>
    request(server)
      .post('/api/orders')
      .send({ itemName: 'moon', cents: 1 })
      .expect(409, { error: 'OUT_OF_STOCK', item: 'moon' }));

  it('keeps the code of an error', () =>
    request(server)
      .get('/api/orders/conflict')
      .expect(409, { statusCode: 409, message: 'twice', errorCode: 'E-17' }));

  it('asks staff for its key', async () => {
    await request(server).get('/api/orders/secret').expect(403);
    await request(server)
      .get('/api/orders/secret')
      .set('X-Api-Key', 'open-sesame')
      .expect(200, { margin: 12 });
  });

  it('answers the preflight of the shop page', () =>
    request(server)
      .options('/api/orders')
      .set('Origin', 'https://shop.example')
      .set('Access-Control-Request-Method', 'POST')
      .expect('Access-Control-Allow-Origin', 'https://shop.example')
      .expect(204));

  it('is healthy', () =>
    request(server)
      .get('/api/health')
      .expect(200)
      .expect(({ body }) => expect(body.status).toBe('ok')));

  it('describes itself', () =>
    request(server)
      .get('/api/docs-json')
      .expect(200)
      .expect(({ body }) => expect(Object.keys(body.paths)).toContain('/api/orders/{id}')));

  it('answers GraphQL', () =>
    request(server)
      .post('/graphql')
      .send({ query: '{ order(id: "o-1") { id cents } }' })
      .expect(200, { data: { order: { id: 'o-1', cents: 350 } } }));

  it('chats', async () => {
    const socket = io(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    socket.emit('say', 'hello');
    expect(await new Promise((heard) => socket.once('said', heard))).toBe('hello');
    socket.close();
  });

  it('sends mails in the background', async () => {
    const { body } = await request(server).post('/api/mails').send({ to: 'ada' }).expect(201);
    for (;;) {
      const mail = await request(server).get(`/api/mails/${body.id}`).expect(200);
      if (mail.body.state !== 'completed') continue;
      expect(mail.body.result).toBe('sent to ada');
      break;
    }
  });

  it('answers gRPC', async () => {
    const { shop } = loadPackageDefinition(loadSync('proto/shop/v1/orders.proto')) as unknown as {
      shop: { v1: { Orders: new (...args: unknown[]) => OrdersClient } };
    };
    const client = new shop.v1.Orders(
      `127.0.0.1:${settings.grpcPort}`,
      credentials.createInsecure(),
    );
    const get = (id: string) =>
      new Promise((resolve) => client.get({ id }, (error, order) => resolve(error?.code ?? order)));
    expect(await get('o-1')).toMatchObject({ id: 'o-1', itemName: 'tea' });
    expect(await get('gone')).toBe(Code.NOT_FOUND);
    client.close();
  });
});
