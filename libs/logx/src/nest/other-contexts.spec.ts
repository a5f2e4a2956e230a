import { afterEach, expect, it } from '@jest/globals';
import { type INestApplication, Injectable, Module } from '@nestjs/common';
import { ExternalContextCreator, NestFactory } from '@nestjs/core';
import { collectingSink } from '../testing/collecting-sink.js';
import { LogxModule } from './logx.module.js';

@Injectable()
class Consumer {
  consume() {
    return 'consumed';
  }
}

let app: INestApplication;
afterEach(() => app.close());

it.each<[string, readonly unknown[]]>([
  ['http', []],
  ['http', [null, null]],
  ['http', ['a message', 7]],
  ['http', [{ raw: null }, {}]],
  ['graphql', [undefined, {}, {}, {}]],
  ['ws', [undefined, 'hello', 'pattern']],
  ['queue', []],
])('LogxModule lets pass what Nest runs as %j with %j', async (type, args) => {
  @Module({ imports: [LogxModule.forRoot({ sinks: [collectingSink()] })], providers: [Consumer] })
  class App {}
  app = await NestFactory.create(App, { logger: false, abortOnError: false });
  await app.init();
  const consumer = app.get(Consumer);
  const handler = app
    .get(ExternalContextCreator)
    .create(
      consumer,
      consumer.consume.bind(consumer),
      'consume',
      undefined,
      undefined,
      undefined,
      undefined,
      { guards: true, interceptors: true, filters: true },
      type,
    );
  expect(await handler(...args)).toBe('consumed');
});
