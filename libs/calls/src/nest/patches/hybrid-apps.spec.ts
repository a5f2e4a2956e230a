import { afterEach, describe, expect, it } from '@jest/globals';
import { type INestApplication, Module } from '@nestjs/common';
import { ModuleRef, NestApplication, NestFactory } from '@nestjs/core';
import { type MicroserviceOptions, Transport } from '@nestjs/microservices';
import { onConnectedApart } from './hybrid-apps.js';

@Module({})
class App {}

const TCP: MicroserviceOptions = { transport: Transport.TCP, options: { port: 0 } };
const methods = (): unknown[] =>
  ['connectMicroservice', 'dispose'].map((name) => Reflect.get(NestApplication.prototype, name));
const own = methods();

const apps: INestApplication[] = [];
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
  expect(methods()).toEqual(own);
});

async function opened(): Promise<INestApplication> {
  const app = await NestFactory.create(App, { logger: false, abortOnError: false });
  apps.push(app);
  return app;
}

describe('a microservice that does not inherit', () => {
  it('is reported to all listeners, by one wrapper', async () => {
    const app = await opened();
    const told: string[] = [];
    const listener = (owner: string) => ({
      refuse: () => void told.push(`${owner}: before`),
      onConnected: (transport: string) => void told.push(`${owner}: ${transport}`),
    });
    onConnectedApart(app.get(ModuleRef), 'one', listener('one'));
    const wrapped = methods();
    onConnectedApart(app.get(ModuleRef), 'two', listener('two'));
    expect(methods()).toEqual(wrapped);
    app.connectMicroservice(TCP);
    app.connectMicroservice(TCP, { inheritAppConfig: true });
    expect(told).toEqual(['one: before', 'two: before', 'one: TCP', 'two: TCP']);
  });

  it('is not connected if one source refuses it, and is then reported to none', async () => {
    const app = await opened();
    const told: string[] = [];
    const moduleRef = app.get(ModuleRef);
    onConnectedApart(moduleRef, 'logs', { onConnected: (transport) => void told.push(transport) });
    onConnectedApart(moduleRef, 'refuses', {
      refuse: () => {
        throw new Error('no');
      },
    });
    expect(() => app.connectMicroservice(TCP)).toThrow('no');
    expect([told, app.getMicroservices()]).toEqual([[], []]);
  });

  it('of another app is reported to no listener', async () => {
    const [app, other] = [await opened(), await opened()];
    const told: string[] = [];
    onConnectedApart(app.get(ModuleRef), 'logs', {
      onConnected: (transport) => void told.push(transport),
    });
    other.connectMicroservice(TCP);
    expect(told).toEqual([]);
  });

  it('has one listener of an owner', async () => {
    const app = await opened();
    const told: number[] = [];
    for (const number of [1, 2]) {
      onConnectedApart(app.get(ModuleRef), 'logs', { onConnected: () => void told.push(number) });
    }
    app.connectMicroservice(TCP);
    expect(told).toEqual([2]);
  });
});
