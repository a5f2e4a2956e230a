import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { errorLines } from '../../../tools/testing/error-lines.js';
import { program } from '../../../tools/testing/program.js';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const blocks = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code!);
const folder = new URL('.', import.meta.url);

describe('the README', () => {
  it('shows an app that starts once, and not twice', async () => {
    const code = `
      import 'reflect-metadata';
      import { HostxModule, runHost } from '@apix/hostx';
      import { Module } from '@nestjs/common';
      ${blocks[0]!.replace("name: 'shop'", 'path: process.argv[2]!').replace("runHost(ShopModule, windowsService('shop'))", "runHost(ShopModule, { http: { port: 0 }, ...windowsService('shop') })")}`;
    const app = await program({ code, folder });
    try {
      const path = `${app.file}.lock`;
      const first = app.run(path);
      await first.said('Host is running');
      const second = await app.run(path).ended;
      expect(second.code).toBe(1);
      expect(second.out + second.err).toContain(
        `another instance is running: process ${first.process.pid} holds the lock ${path}`,
      );
      first.process.kill('SIGTERM');
      const ended = await first.ended;
      expect(ended.code).toBe(0);
      expect(errorLines(ended)).toEqual([]);
    } finally {
      await app.remove();
    }
  });

  it('shows how to print a unit', async () => {
    const app = await program({ code: blocks[1]!, folder });
    try {
      const { out } = await app.run().ended;
      expect(out).toContain('WatchdogSec=10s\nTimeoutStopSec=35s\n');
    } finally {
      await app.remove();
    }
  });
});
