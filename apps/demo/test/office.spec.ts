import 'reflect-metadata';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HostxModule } from '@apix/hostx';
import { HostPageModule } from '@apix/hostx/page';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { OfficeGuard } from '../src/office/office.guard.js';
import { OfficeKey } from '../src/office/office-key.js';
import { OfficeModule } from '../src/office/office.module.js';

const basic = (userAndPassword: string): string =>
  `Basic ${Buffer.from(userAndPassword).toString('base64')}`;

describe('the host page of the demo', () => {
  const given = process.env['OFFICE_PASSWORD'];
  let app: INestApplication | undefined;
  afterEach(async () => {
    await app?.close();
    app = undefined;
    if (given === undefined) delete process.env['OFFICE_PASSWORD'];
    else process.env['OFFICE_PASSWORD'] = given;
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
        basic(`office:${key.password.slice(0, -1)}`),
      ];
      for (const path of ['/host', '/host/stream']) {
        const statuses = await Promise.all(guesses.map((guess) => statusOf(path, guess)));
        expect(statuses).toEqual(guesses.map(() => 401));
        expect(await statusOf(path, basic(`office:${key.password}`))).toBe(200);
      }
    },
  );

  it('has a new password at each start when OFFICE_PASSWORD is empty', async () => {
    const { key: first } = await open('');
    await app?.close();
    const { key: second } = await open('');
    expect(first.password).toMatch(/^[\w-]{12,}$/);
    expect(first.shown).toBe(`office:${first.password}`);
    expect(second.password).not.toBe(first.password);
  });

  it('is opened by OFFICE_PASSWORD when it is set, which is not printed, and by nothing else', async () => {
    const { statusOf, key } = await open('pass word');
    expect(key.shown).toBe('office:$OFFICE_PASSWORD');
    expect(await statusOf('/host', basic('office:pass word'))).toBe(200);
    expect(await statusOf('/host', basic('office:password'))).toBe(401);
    expect(await statusOf('/host', basic('boss:pass word'))).toBe(401);
  });
});
