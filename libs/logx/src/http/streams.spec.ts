import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { fromContext } from '../context/logger-context.js';
import { createLogger } from '../logger/create-logger.js';
import { loggedUntil } from '../request/logged-until.fixture.js';
import { collectingSink } from '../testing/collecting-sink.js';
import { HttpDoor } from './http-door.js';
import { head, RawClient } from './raw-client.fixture.js';
import { enterServer } from '@apix/calls/internal';

type Handler = (req: IncomingMessage, res: ServerResponse) => unknown;

/** Ways in which a handler reads its request and writes its response, logging as it does. */
const HANDLERS: [string, Handler][] = [
  [
    'events of the request',
    (req, res) => {
      req.on('data', (part: Buffer) => fromContext().information('part {Part}', String(part)));
      req.on('end', () => {
        fromContext().information('end');
        res.end('done');
      });
    },
  ],
  [
    'an async iteration of the request',
    async (req, res) => {
      for await (const part of req) fromContext().information('part {Part}', String(part));
      fromContext().information('end');
      res.end('done');
    },
  ],
  [
    'a pipe into the response',
    (req, res) => {
      async function* parts(): AsyncGenerator<string> {
        for await (const part of req) {
          fromContext().information('part {Part}', String(part));
          yield 'x';
        }
        fromContext().information('end');
      }
      Readable.from(parts()).pipe(res);
    },
  ],
  [
    'events of the response',
    (req, res) => {
      req.on('data', (part: Buffer) => fromContext().information('part {Part}', String(part)));
      res.on('finish', () => fromContext().information('end'));
      req.on('end', () => res.end('done'));
    },
  ],
];

const open: { close(): unknown }[] = [];
afterEach(() => {
  for (const thing of open.splice(0)) thing.close();
});

describe('the context of a request', () => {
  it.each(HANDLERS)(
    'is there in %s, on connections that are used again',
    async (_what, handler) => {
      const logged = collectingSink();
      const server = createServer((req, res) => void handler(req, res));
      enterServer(server, new HttpDoor(createLogger({ sinks: [logged] })));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      open.push(server);
      const { port } = server.address() as AddressInfo;
      const clients = await Promise.all([0, 1, 2].map(() => RawClient.to(port)));
      for (const { socket } of clients) open.push({ close: () => socket.destroy() });
      for (let round = 0; round < 3; round++) {
        const ids = clients.map((_, c) => `r${round}c${c}`);
        clients.forEach((client, c) =>
          client.send(head('POST', '/', `X-Request-Id: ${ids[c]}`, 'Content-Length: 12')),
        );
        for (let half = 0; half < 2; half++) {
          for (let turn = 0; turn < 5; turn++) await nextTurn();
          clients.forEach((client, c) => client.send(`${ids[c]}--`));
        }
        await loggedUntil(logged, 'end', 3 * (round + 1));
      }
      const inside = [...logged].filter(({ Status }) => Status === undefined);
      expect(inside.length).toBeGreaterThanOrEqual(18);
      for (const { Part, RequestId } of inside) {
        expect(RequestId).toMatch(/^r\dc\d$/);
        if (Part !== undefined) expect(Part).toContain(RequestId);
      }
      const ends = logged.withTemplate('end');
      expect(new Set([...ends].map(({ RequestId }) => RequestId)).size).toBe(9);
    },
  );
});
