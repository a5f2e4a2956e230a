import { untilAborted } from '@apix/contracts/internal';
import { describe, expect, it } from '@jest/globals';
import { httpService } from '../http/http-service.js';
import { consoleLogger } from '../log/adapters.js';
import { Host } from './host-builder.js';

describe('the line about a ready service', () => {
  it('says where it listens, if it does', async () => {
    const lines: string[] = [];
    const write = (line: string): void => void lines.push(line);
    const listens = { handler: () => {}, port: 0, host: '127.0.0.1', activation: false } as const;
    const http = httpService(listens);
    let addr = '';
    const host = Host.builder()
      .withLogger(consoleLogger({ info: write, warn: write, error: write }))
      .addService(http)
      .addService({ name: 'quiet', start: untilAborted })
      .onStarted(() => {
        addr = http.addr;
        host.shutdown();
      })
      .build();
    await host.runContext();
    const ready = lines.filter((line) => line.includes('is ready'));
    expect(addr).toMatch(/^127\.0\.0\.1:\d+$/);
    expect(ready).toEqual([
      expect.stringMatching(new RegExp(`Service http is ready after \\d+ ms at ${addr}$`)),
      expect.stringMatching(/Service quiet is ready after \d+ ms$/),
    ]);
  });

  it('is about no address where a service of the app has something else of that name', async () => {
    const lines: string[] = [];
    const write = (line: string): void => void lines.push(line);
    const failing = {
      name: 'failing',
      start: untilAborted,
      get addr(): string {
        throw new Error('no address');
      },
    };
    const other = { name: 'other', start: untilAborted, addr: { port: 1 } as unknown as string };
    const host = Host.builder()
      .withLogger(consoleLogger({ info: write, warn: write, error: write }))
      .addService(failing)
      .addService(other)
      .onStarted(() => {
        host.shutdown();
      })
      .build();
    await host.runContext();
    expect(lines.filter((line) => line.includes('is ready'))).toEqual([
      expect.stringMatching(/Service failing is ready after \d+ ms$/),
      expect.stringMatching(/Service other is ready after \d+ ms$/),
    ]);
  });
});
