import 'reflect-metadata';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  Catch,
  Controller,
  type ExceptionFilter,
  Get,
  type INestApplication,
  Injectable,
  Module,
} from '@nestjs/common';
import { APP_FILTER, ExternalContextCreator, NestFactory } from '@nestjs/core';
import { type Observable, throwError } from 'rxjs';
import { Code, StatusError } from '@apix/contracts';
import { ExceptionsModule } from './exceptions.module.js';

@Injectable()
@Controller()
class Consumer {
  @Get('status')
  consume(): never {
    throw new StatusError(Code.NOT_FOUND, 'no such order');
  }
}

/** Written for messages. */
@Catch()
class MessagesFilter implements ExceptionFilter {
  catch(error: unknown): Observable<never> {
    return throwError(() => error);
  }
}

const logged: string[] = [];
const note = (line: unknown): void => void logged.push(String(line));
let app: INestApplication;
afterEach(() => app.close());

async function start(filters: readonly (new () => ExceptionFilter)[] = []) {
  @Module({
    imports: [ExceptionsModule],
    controllers: [Consumer],
    providers: filters.map((useClass) => ({ provide: APP_FILTER, useClass })),
  })
  class AppModule {}
  const logger = { log: () => {}, warn: note, error: note };
  app = await NestFactory.create(AppModule, { logger });
  await app.init();
  logged.length = 0;
}

describe('the exception filter', () => {
  it.each(['http', 'queue'])(
    'leaves errors to callers through an ExternalContextCreator of type %s',
    async (type) => {
      await start();
      const consumer = app.get(Consumer);
      const consume = app
        .get(ExternalContextCreator)
        .create(
          consumer,
          consumer.consume.bind(consumer),
          'consume',
          undefined,
          undefined,
          undefined,
          undefined,
          undefined,
          type,
        );
      await expect(consume()).rejects.toThrow('no such order');
      expect(logged).toEqual(['StatusError: no such order']);
    },
  );

  it('answers to a StatusError that a filter for messages leaves unanswered', async () => {
    await start([MessagesFilter]);
    await app.listen(0, '127.0.0.1');
    const answer = await fetch(`${await app.getUrl()}/status`);
    expect([answer.status, await answer.json()]).toEqual([
      404,
      { message: 'no such order', error: 'Not Found', statusCode: 404 },
    ]);
  });
});
