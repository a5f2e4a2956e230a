import { spawn } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Program, program } from '../../../../tools/testing/program.js';
import { type BoundSocket, boundSocket } from './bound-socket.fixture.js';
import { http2Client } from './http2-client.fixture.js';
import { activatedSockets, claimSocket } from './listen.js';

describe('activatedSockets', () => {
  it.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    ['nothing is set', {}, []],
    ['they are for this process', { LISTEN_PID: '7', LISTEN_FDS: '2' }, ['3 unknown', '4 unknown']],
    [
      'they have names',
      { LISTEN_PID: '7', LISTEN_FDS: '3', LISTEN_FDNAMES: 'http::admin' },
      ['3 http', '4 unknown', '5 admin'],
    ],
    ['they are for another process', { LISTEN_PID: '8', LISTEN_FDS: '2' }, []],
    ['the count is none', { LISTEN_PID: '7', LISTEN_FDS: 'two' }, []],
    ['the count is negative', { LISTEN_PID: '7', LISTEN_FDS: '-1' }, []],
  ])('where %s', (_, env, expected) => {
    expect(activatedSockets(env, 7).map(({ fd, name }) => `${fd} ${name}`)).toEqual(expected);
  });
});

describe('claimSocket', () => {
  const http = { fd: 3, name: 'http' };
  const admin = { fd: 4, name: 'admin' };
  const unit = { fd: 3, name: 'shop.socket' };

  it.each([
    ['the one named like the service', undefined, [http, admin], http],
    ['the one that is asked for', 'admin', [http, admin], admin],
    ['the only one, whatever its name', undefined, [unit], unit],
    ['not the only one where another was asked for', 'admin', [unit], null],
    ['none where several have other names', undefined, [unit, admin], null],
    ['none where none was passed', undefined, [], null],
  ])('is %s', (_, wanted, sockets, expected) => {
    expect(claimSocket('http', wanted, sockets, new Set())).toEqual(expected);
  });

  it('gives each socket out once', () => {
    const taken = new Set<number>();
    expect(claimSocket('http', undefined, [unit], taken)).toEqual(unit);
    expect(claimSocket('other', undefined, [unit], taken)).toBeNull();
  });
});

describe('a service in a process that was passed a socket', () => {
  let socket: BoundSocket;
  let child: Program;

  beforeAll(async () => {
    child = await program(new URL('activation.fixture.ts', import.meta.url));
    socket = boundSocket();
  });
  afterAll(async () => {
    socket.close();
    await child.remove();
  });

  it('serves HTTP/1 and HTTP/2 on it, and leaves it open for the next process', async () => {
    for (let round = 0; round < 2; round++) {
      // The process id is only known to the child, as with systemd, between fork and exec.
      const running = spawn(
        '/bin/sh',
        ['-c', 'LISTEN_PID=$$ exec "$0" "$1"', process.execPath, child.file],
        {
          stdio: ['ignore', 'pipe', 'inherit', socket.fd],
          env: { ...process.env, NODE_OPTIONS: '', LISTEN_FDS: '1' },
        },
      );
      const said = await new Promise((resolve) => running.stdout!.once('data', resolve));
      expect(String(said)).toBe(`listening on 127.0.0.1:${socket.port}\n`);
      expect(await (await fetch(`http://127.0.0.1:${socket.port}/`)).text()).toBe(
        'from the socket',
      );
      const client = await http2Client(`http://127.0.0.1:${socket.port}`);
      expect(await client.ask('/')).toEqual({ status: 200, body: 'from the socket' });
      const code = new Promise((resolve) => running.once('exit', resolve));
      running.kill('SIGTERM');
      await client.closed;
      expect(await code).toBe(0);
    }
  });
});
