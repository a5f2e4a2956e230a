import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { fakeClock } from '@apix/contracts/testing';
import {
  type CanActivate,
  type ExecutionContext,
  Injectable,
  Module,
  SetMetadata,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { NodeAdapter } from '../../../../tools/testing/node-adapter/node-adapter.js';
import { startHost } from '@apix/hostx/testing';
import { HostxModule } from '@apix/hostx';
import { KeyGuard, follow, get, moduleWith, textOf } from './host-page.fixture.js';
import { type HostPageAccess, HostPageModule } from './host-page.module.js';

describe('HostPageModule', () => {
  it.each<[string, HostPageAccess, string]>([
    [
      'nothing',
      {},
      'host-page: guard: is required, or anyone could see the page; public: true allows that',
    ],
    ['an empty list of guards', { guard: [] }, 'guard: is required'],
    ['public: false', { public: false }, 'guard: is required'],
    ['both', { guard: KeyGuard, public: true }, 'public: excludes guard; set one of them'],
    ['no path', { path: '/', public: true }, 'host-page: path: must not be empty'],
  ])('is refused at once with %s', (_, options, message) => {
    expect(() => HostPageModule.forRoot(options)).toThrow(message);
    expect(() => HostPageModule.forRootAsync({ ...options, useFactory: () => ({}) })).toThrow(
      message,
    );
  });

  it('names every option that is wrong', async () => {
    const wrong = { interval: '1ms', events: 10_001, viewers: 1.5, checkInterval: 'soon' };
    await expect(startHost(moduleWith({ ...wrong, public: true }))).rejects.toThrow(
      expect.objectContaining({
        name: 'OptionsError',
        mistakes: [
          'interval: must be at least 100ms, not "1ms"',
          'events: must be an integer from 1 to 10000, not 10001',
          expect.stringMatching(/^checkInterval: "soon" is not a valid duration/),
          'viewers: must be an integer from 1 to 10000, not 1.5',
        ],
      }),
    );
  });

  it('keeps no more samples than a plot can show', async () => {
    const long = moduleWith({ public: true, history: '2h', interval: '1s' });
    await expect(startHost(long)).rejects.toThrow(
      'history: must be at most 3600 times the interval, not 7200 times; use a longer interval',
    );
  });

  it('imports what its guard needs', async () => {
    class Keys {
      readonly key = 'open';
    }
    @Module({ providers: [Keys], exports: [Keys] })
    class KeysModule {}
    @Injectable()
    class KeysGuard implements CanActivate {
      constructor(private readonly keys: Keys) {}
      canActivate(context: ExecutionContext): boolean {
        const { headers } = context.switchToHttp().getRequest<IncomingMessage>();
        return headers['x-key'] === this.keys.key;
      }
    }
    const { app } = await startHost(moduleWith({ guard: KeysGuard, imports: [KeysModule] }));
    expect((await get(app!, '/host')).statusCode).toBe(403);
    expect((await get(app!, '/host', { 'x-key': 'open' })).statusCode).toBe(200);
  });

  it('leaves nothing behind that keeps the process alive', async () => {
    const clock = fakeClock();
    const { app, stop } = await startHost(moduleWith({ public: true, clock }));
    const { next } = await follow(app!);
    await next(({ full }) => full);
    expect(clock.pending).toBeGreaterThan(0);
    await stop();
    expect(clock.pending).toBe(0);
  });

  it('does not start without HostxModule', async () => {
    @Module({ imports: [HostPageModule.forRoot({ public: true })] })
    class App {}
    await expect(startHost(App)).rejects.toThrow('host-page: there is no host to show; import');
  });

  it('has decorators for guards that read them, and options that are made asynchronously', async () => {
    @Injectable()
    class RoleGuard implements CanActivate {
      constructor(private readonly reflector: Reflector) {}
      canActivate(context: ExecutionContext): boolean {
        return this.reflector.get<string>('role', context.getClass()) === 'ops';
      }
    }
    const page = (role: string) =>
      HostPageModule.forRootAsync({
        path: role,
        guard: RoleGuard,
        decorators: [SetMetadata('role', role)],
        useFactory: () => ({ title: 'A & B' }),
      });
    @Module({ imports: [HostxModule.forRoot({}), page('ops'), page('guest')] })
    class App {}
    const { app } = await startHost(App);
    const shown = await get(app!, '/ops');
    expect([shown.statusCode, await textOf(shown)]).toEqual([
      200,
      expect.stringContaining('<title>A &#38; B</title>'),
    ]);
    expect((await get(app!, '/guest')).statusCode).toBe(403);
  });

  it('stays out of the document of @nestjs/swagger', async () => {
    const { app } = await startHost(moduleWith({ public: true }));
    const { paths } = SwaggerModule.createDocument(app!, new DocumentBuilder().build());
    expect(paths).toEqual({});
  });
});

describe.each<[string, () => object]>([
  ['Express', () => ({})],
  // Where Fastify takes no notice of a slash at the end, the page must find its files as well.
  [
    'Fastify',
    () => ({ adapter: new FastifyAdapter({ routerOptions: { ignoreTrailingSlash: true } }) }),
  ],
  ['an adapter of another type', () => ({ adapter: new NodeAdapter() })],
])('the host page on %s', (_, platform) => {
  it('is shown by nobody but its guard', async () => {
    const { app } = await startHost(moduleWith({ guard: KeyGuard }), platform());
    for (const path of ['', '/', '/page.js', '/page.css', '/icon.svg', '/stream', '/none']) {
      expect([path, (await get(app!, `/host${path}`)).statusCode]).toEqual([path, 403]);
    }
    expect((await get(app!, '/host', { 'x-key': 'open' })).statusCode).toBe(200);
    expect((await get(app!, '/host/none', { 'x-key': 'open' })).statusCode).toBe(404);
  });

  it.each([
    ['/ops', './ops/'],
    ['/ops?x=1', './ops/'],
    ['/ops/', './'],
  ])('asked for as %s finds its files in %s', async (path, folder) => {
    const { app } = await startHost(moduleWith({ public: true, path: '/ops/' }), platform());
    const html = await textOf(await get(app!, path));
    for (const name of ['page.js', 'page.css', 'icon.svg']) {
      expect(html).toContain(`="${folder}${name}"`);
    }
    expect(html).not.toContain('{{');
  });

  it.each([
    ['', 'text/html; charset=utf-8'],
    ['/page.js', 'text/javascript; charset=utf-8'],
    ['/page.css', 'text/css; charset=utf-8'],
    ['/icon.svg', 'image/svg+xml'],
  ])('serves %s as %s, to be asked for again, under a policy', async (file, type) => {
    const { app } = await startHost(moduleWith({ public: true }), platform());
    const { statusCode, headers } = await get(app!, `/host${file}`);
    expect([statusCode, headers['content-type']]).toEqual([200, type]);
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'/);
    expect(headers['content-security-policy']).not.toContain('unsafe');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['cross-origin-resource-policy']).toBe('same-origin');
    const again = await get(app!, `/host${file}`, { 'if-none-match': headers.etag! });
    expect([again.statusCode, await textOf(again)]).toEqual([304, '']);
    const listed = `"other,", W/${headers.etag!}`;
    const found = await get(app!, `/host${file}`, { 'if-none-match': listed });
    expect(found.statusCode).toBe(304);
    const refused = await get(app!, `/host${file}`, { accept: `${type.split(';')[0]!};q=0` });
    expect([refused.statusCode, await textOf(refused)]).toEqual([406, '']);
  });

  it('sends no events to a viewer who refuses them', async () => {
    const { app } = await startHost(moduleWith({ public: true }), platform());
    const refused = await get(app!, '/host/stream', { accept: 'text/event-stream;q=0' });
    expect([refused.statusCode, await textOf(refused)]).toEqual([406, '']);
  });

  it('has all processes replaced by those who may, from the page itself, and shows one event', async () => {
    const may = moduleWith({ public: true, restart: KeyGuard });
    const { app } = await startHost(may, platform());
    const key = { 'x-key': 'open' };
    const ask = async (headers: Record<string, string>) =>
      (await get(app!, '/host/restart', headers, 'POST')).statusCode;
    expect(await ask({})).toBe(403);
    expect(await ask({ ...key, 'sec-fetch-site': 'cross-site' })).toBe(403);
    expect(await ask({ ...key, origin: 'https://other.example' })).toBe(403);
    const page = await follow(app!);
    expect(await ask({ ...key, 'sec-fetch-site': 'same-origin' })).toBe(202);
    const events = () => page.views.flatMap((view) => view.events);
    await page.next(({ events: said }) => said.some(({ text }) => text.includes('one process')));
    expect(events().filter(({ text }) => text.includes('restart'))).toMatchObject([
      { mark: 'restart', text: 'restart of all processes, one after the other' },
      { level: 'error', text: expect.stringContaining('the app runs in one process') },
    ]);
    page.response.destroy();
  });

  it('has nothing replaced where nobody may', async () => {
    const { app } = await startHost(moduleWith({ public: true }), platform());
    expect((await get(app!, '/host/restart', {}, 'POST')).statusCode).toBe(404);
    const page = await follow(app!);
    const { tabs } = await page.next(() => true);
    expect(tabs).not.toContain('processes');
    page.response.destroy();
  });

  it('lies below the global prefix', async () => {
    const { app } = await startHost(moduleWith({ public: true }), {
      ...platform(),
      configure: (app) => void app.setGlobalPrefix('api'),
    });
    expect((await get(app!, '/api/host')).statusCode).toBe(200);
  });
});
