import 'reflect-metadata';
import type { Server } from 'node:http';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HostxModule } from '@apix/hostx';
import { HostPageModule } from '@apix/host-page';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { OfficeGuard } from '../src/office/office.guard.js';
import { OfficeKey } from '../src/office/office-key.js';
import { OfficeModule } from '../src/office/office.module.js';

const basic = (userAndPassword: string): string =>
  `Basic ${Buffer.from(userAndPassword).toString('base64')}`;

describe('the host page of the demo', () => {
  const given = { ...process.env };
  let app: INestApplication | undefined;
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'office-'));
    process.env['DATA_DIR'] = folder;
  });
  afterEach(async () => {
    await app?.close();
    app = undefined;
    process.env = { ...given };
    await rm(folder, { recursive: true });
  });

  /** Opens an office with this OFFICE_PASSWORD; answers the statuses of these authorizations. */
  async function open(password: string | undefined) {
    if (password === undefined) delete process.env['OFFICE_PASSWORD'];
    else process.env['OFFICE_PASSWORD'] = password;
    @Module({
      imports: [
        HostxModule.forRoot({ logger: null, drain: { delay: 0 } }),
        HostPageModule.forRoot({ guard: OfficeGuard, imports: [OfficeModule] }),
      ],
    })
    class Office {}
    app = await NestFactory.create(Office, { logger: false });
    await app.listen(0, '127.0.0.1');
    const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
    const statusOf = async (path: string, authorization?: string): Promise<number> => {
      const headers = authorization === undefined ? {} : { authorization };
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
      await response.body?.cancel();
      return response.status;
    };
    return { statusOf, key: app.get(OfficeKey, { strict: false }) };
  }

  it.each([[undefined], [''], ['   '], ['\t\n']])(
    'stays closed to everybody without the password that was made when OFFICE_PASSWORD is %j',
    async (password) => {
      const { statusOf, key } = await open(password);
      const guesses = [
        undefined,
        '',
        'Basic',
        'Basic ',
        basic('office:'),
        basic('office'),
        basic(':'),
        basic(''),
        basic(`office:${password ?? 'undefined'}`),
        basic(`office:${key.password!.slice(0, -1)}`),
      ];
      for (const path of ['/host', '/host/stream']) {
        const statuses = await Promise.all(guesses.map((guess) => statusOf(path, guess)));
        expect(statuses).toEqual(guesses.map(() => 401));
        expect(await statusOf(path, basic(`office:${key.password}`))).toBe(200);
      }
    },
  );

  it('keeps the password that was made over restarts, for its owner alone', async () => {
    const { key: first } = await open('');
    await app?.close();
    const { key: second } = await open('');
    expect(first.password).toMatch(/^[\w-]{12,}$/);
    expect(first.shown).toBe(`office:${first.password}`);
    expect(second.password).toBe(first.password);
    expect((await stat(join(folder, 'office-password'))).mode & 0o777).toBe(0o600);
  });

  it('stays closed in production without OFFICE_PASSWORD, whatever was kept', async () => {
    const { key: kept } = await open('');
    await app?.close();
    process.env['NODE_ENV'] = 'production';
    const { statusOf, key } = await open('');
    expect(key.password).toBeUndefined();
    const guesses = [
      undefined,
      '',
      'Basic',
      `office:${kept.password}`,
      'office:undefined',
      'office:',
    ];
    for (const guess of guesses) {
      expect(await statusOf('/host', guess && basic(guess))).toBe(401);
    }
  });

  it('is opened by OFFICE_PASSWORD when it is set, which is not printed, and by nothing else', async () => {
    const { statusOf, key } = await open('pass word');
    expect(key.shown).toBe('office:$OFFICE_PASSWORD');
    expect(await statusOf('/host', basic('office:pass word'))).toBe(200);
    expect(await statusOf('/host', basic('office:password'))).toBe(401);
    expect(await statusOf('/host', basic('boss:pass word'))).toBe(401);
  });
});
