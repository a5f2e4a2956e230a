import type { INestApplication } from '@nestjs/common';
import { IoAdapter } from '@nestjs/platform-socket.io';
import { WsAdapter } from '@nestjs/platform-ws';
import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { io } from 'socket.io-client';
import { WebSocket } from 'ws';
import { NEST_MAJOR } from '../../../../tools/testing/nest-major.js';

/** What a client gets for a message: an event of its own, or `exception`. */
export interface Said {
  readonly event: string;
  readonly data: unknown;
}

/** A client with one connection. */
export interface SocketClient {
  /** Sends a message, and resolves with the next one that comes back. */
  ask(event: string, data?: unknown): Promise<Said>;
  close(): void;
}

/** Both of Nest's platforms for WebSockets, each with the client that belongs to it. */
export interface SocketPlatform {
  readonly adapter: (app: INestApplication) => IoAdapter | WsAdapter;
  readonly connect: (
    app: INestApplication,
    headers: Readonly<Record<string, string>>,
  ) => Promise<SocketClient>;
}

/** Hands what comes to who asks, in order. */
class Inbox {
  readonly #asked: ((said: Said) => void)[] = [];

  take(said: Said): void {
    this.#asked.shift()?.(said);
  }

  next(): Promise<Said> {
    return new Promise((resolve) => this.#asked.push(resolve));
  }
}

type Connected = (client: WebSocket, ...args: unknown[]) => void;

/**
 * Sends the events of filters to a client, as Nest 12 does. Nest 11 emits them on the server's own `ws`
 * socket, where nothing listens: an app on Nest 11 that wants to send them does something like this.
 */
export class TellingWsAdapter extends WsAdapter {
  override bindClientConnect(server: object, connected: (...args: never[]) => void): void {
    if (NEST_MAJOR >= 12) return super.bindClientConnect(server, connected);
    const telling = (client: WebSocket, ...args: unknown[]): void => {
      const emit = client.emit.bind(client);
      client.emit = (event, ...values: unknown[]) => {
        if (event !== 'exception') return emit(event, ...values);
        client.send(JSON.stringify({ event, data: values[0] }));
        return true;
      };
      (connected as Connected)(client, ...args);
    };
    super.bindClientConnect(server, telling);
  }
}

const ws: SocketPlatform = {
  adapter: (app) => new TellingWsAdapter(app),
  async connect(app, headers) {
    const socket = new WebSocket(`ws://127.0.0.1:${portOf(app)}/`, { headers });
    const inbox = new Inbox();
    socket.on('message', (text: Buffer) => inbox.take(JSON.parse(text.toString()) as Said));
    await once(socket, 'open');
    return {
      ask(event, data) {
        const next = inbox.next();
        socket.send(JSON.stringify({ event, data }));
        return next;
      },
      close: () => socket.terminate(),
    };
  },
};

/** @param auth what the client sends when it connects, in addition to the headers. */
export function socketIo(auth: Readonly<Record<string, unknown>> = {}, path = ''): SocketPlatform {
  return {
    adapter: (app) => new IoAdapter(app),
    async connect(app, extraHeaders) {
      const socket = io(`http://127.0.0.1:${portOf(app)}${path}`, {
        auth,
        extraHeaders,
        forceNew: true,
        reconnection: false,
      });
      const inbox = new Inbox();
      socket.onAny((event: string, data: unknown) => inbox.take({ event, data }));
      await new Promise<void>((resolve, reject) => {
        socket.once('connect', resolve);
        socket.once('connect_error', reject);
      });
      return {
        ask(event, data) {
          const next = inbox.next();
          socket.emit(event, data);
          return next;
        },
        close: () => void socket.disconnect(),
      };
    },
  };
}

/** By the name of the platform. */
export const SOCKET_PLATFORMS: Readonly<Record<string, SocketPlatform>> = {
  ws,
  'socket.io': socketIo(),
};

function portOf(app: INestApplication): number {
  return ((app.getHttpServer() as Server).address() as AddressInfo).port;
}
