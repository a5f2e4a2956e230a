import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type INestApplication, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { NodeAdapter } from '../../../../tools/testing/node-adapter/node-adapter.js';
import type { HttpLogOptions } from '../http/http-options.js';
import type { LevelInput } from '../levels/level.js';
import { loggedUntil } from '../request/logged-until.fixture.js';
import { collectingSink, type CollectingSink } from '../testing/collecting-sink.js';
import { LogxModule } from './logx.module.js';
import { FailingController, OrdersController, ProbeController } from './shop.fixture.js';

export const REQUEST = '{Method} {Path} -> {Status}';
export const PANIC = 'panic recovered: {Panic}';

/** A running app and what it logged. */
export class Running {
  constructor(
    readonly app: INestApplication,
    readonly logged: CollectingSink,
  ) {}

  get port(): number {
    return ((this.app.getHttpServer() as Server).address() as AddressInfo).port;
  }

  /** Asks, and waits for the event of the request. */
  async ask(method: string, path: string, init: RequestInit = {}) {
    this.logged.clear();
    const response = await fetch(`http://127.0.0.1:${this.port}${path}`, { method, ...init });
    const body = await response.text();
    const event = (await loggedUntil(this.logged, REQUEST)).only();
    return { response, body, event };
  }
}

export type Platform = () => ExpressAdapter | FastifyAdapter | NodeAdapter;

export const PLATFORMS: [string, Platform][] = [
  ['Express', () => new ExpressAdapter()],
  ['Fastify', () => new FastifyAdapter()],
  ['an adapter of another type', () => new NodeAdapter()],
];

export interface StartOptions {
  readonly http?: HttpLogOptions | false;
  readonly controllers?: readonly Type[];
  readonly level?: LevelInput;
  readonly prepare?: (app: INestApplication) => void;
}

export async function start(
  platform: Platform,
  { http = {}, controllers = [], level = 'information', prepare = () => {} }: StartOptions = {},
): Promise<Running> {
  const logged = collectingSink();
  @Module({
    imports: [LogxModule.forRoot({ sinks: [logged], level, http })],
    controllers: [OrdersController, FailingController, ProbeController, ...controllers],
  })
  class ShopModule {}
  const app = await NestFactory.create(ShopModule, platform(), { logger: false });
  prepare(app);
  await app.listen(0, '127.0.0.1');
  return new Running(app, logged);
}
