import { untilAborted } from '@apix/contracts';
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
});
