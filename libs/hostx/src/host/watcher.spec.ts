import { describe, expect, it } from '@jest/globals';
import { starterCommand, watcherIn } from './without-delay.js';

describe('a parent process', () => {
  it.each([
    ['node /app/node_modules/.bin/nest start --watch', 'nest start --watch'],
    ['node /app/node_modules/.bin/nest start shop -w', 'nest start --watch'],
    [
      '/usr/bin/node /usr/lib/node_modules/@nestjs/cli/bin/nest.js start --debug --watch',
      'nest start --watch',
    ],
    ['nest start --watch -- --port 1', 'nest start --watch'],
    ['node --watch dist/main.js', 'node --watch'],
    ['/usr/bin/node --enable-source-maps --watch-path=src dist/main.js', 'node --watch'],
    ['node /app/node_modules/.bin/tsx watch src/main.ts', 'tsx watch'],
    ['node /app/node_modules/tsx/dist/cli.mjs watch src/main.ts', 'tsx watch'],
  ])('restarts its program on a save: %s', (command, watcher) => {
    expect(watcherIn(command.split(' '))).toBe(watcher);
  });

  it.each([
    [''],
    ['/sbin/init'],
    ['nest start'],
    ['nest build --watch'],
    ['node /app/node_modules/.bin/nest start -- --watch'],
    ['node dist/main.js --watch'],
    ['node /app/start.js nest --watch'],
    ['tsx src/main.ts watch'],
    ['npm run start:prod --watch'],
    ['containerd-shim -namespace watch'],
  ])('may be one of production: %s', (command) => {
    expect(watcherIn(command.split(' '))).toBeUndefined();
  });

  it.each(['linux', 'darwin'])('is read as %s tells it', (platform) => {
    expect(starterCommand(platform).join(' ')).not.toBe('');
  });

  it('is not known on Windows', () => {
    expect(starterCommand('win32')).toEqual([]);
  });
});
