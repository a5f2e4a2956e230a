import { once } from 'node:events';
import { type AddressInfo, type Server, connect } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Transport } from '@nestjs/microservices';
import { closeAlone } from './app-close.js';

const log: string[] = [];

@Injectable()
class Shop {
  onModuleDestroy(): void {
    log.push('destroyed');
  }
}

@Module({ providers: [Shop] })
class App {}

/** Whether somebody listens on a port. */
async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const outcome = once(socket, 'connect').then(
    () => true,
    () => false,
  );
  const isConnected = await outcome;
  socket.destroy();
  return isConnected;
}

describe('a microservice of a hybrid app', () => {
  it('is closed alone, and not once more with its app, whose hooks run then', async () => {
    const app = await NestFactory.create(App, { logger: false });
    const microservice = app.connectMicroservice({
      transport: Transport.TCP,
      options: { host: '127.0.0.1', port: 0 },
    });
    await app.startAllMicroservices();
    const { port } = microservice.unwrap<Server>().address() as AddressInfo;
    expect(await isOpen(port)).toBe(true);
    await closeAlone(microservice);
    expect([await isOpen(port), log]).toEqual([false, []]);
    await app.close();
    expect(log).toEqual(['destroyed']);
  });
});
