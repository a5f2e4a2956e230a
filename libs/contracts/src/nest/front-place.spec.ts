import { afterEach, describe, expect, it } from '@jest/globals';
import { type INestApplication, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type FrontHandler, type FrontPlace, frontPlace } from './front-place.js';

const FIRST = Symbol('first');
const SECOND = Symbol('second');

@Module({ providers: [frontPlace(FIRST), frontPlace(SECOND)] })
class App {}

const open: INestApplication[] = [];
afterEach(async () => {
  for (const app of open.splice(0)) await app.close();
});

async function opened(module: Type = App): Promise<INestApplication> {
  const app = await NestFactory.create(module, { logger: false });
  open.push(app);
  return app;
}

const says =
  (text: string): FrontHandler =>
  (_req, res) =>
    void res.end(text);

const layersOf = (app: INestApplication): number =>
  (app.getHttpAdapter().getInstance() as { router: { stack: unknown[] } }).router.stack.length;

async function answerOf(app: INestApplication, path: string): Promise<string> {
  const { port } = app.getHttpServer().address() as { port: number };
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  return response.ok ? response.text() : String(response.status);
}

describe('places in front of an app', () => {
  it('serve their paths as they were given last, and the first that answers a path serves it', async () => {
    const app = await opened();
    const [first, second] = [app.get<FrontPlace>(FIRST), app.get<FrontPlace>(SECOND)];
    second.serve(new Map([['/a', says('second')]]));
    first.serve(new Map([['/old', says('old')]]));
    first.serve(
      new Map([
        ['/a', says('first')],
        ['/b', (_req, _res, next) => next()],
      ]),
    );
    second.serve(
      new Map([
        ['/a', says('second')],
        ['/b', says('second')],
      ]),
    );
    await app.listen(0, '127.0.0.1');
    const answers = await Promise.all(
      ['/a?x=1', '/b', '/old', '/a/', '/%61'].map((path) => answerOf(app, path)),
    );
    expect(answers).toEqual(['first', 'second', '404', '404', '404']);
  });

  it('are behind one middleware of the app', async () => {
    @Module({ providers: [frontPlace(FIRST)] })
    class Single {}
    const [two, one] = [await opened(), await opened(Single)];
    expect(layersOf(two)).toBe(layersOf(one));
  });
});
