import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type ServiceError, credentials, status } from '@grpc/grpc-js';
import {
  type CanActivate,
  Controller,
  type INestMicroservice,
  Module,
  UseGuards,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  GrpcMethod,
  GrpcStreamCall,
  GrpcStreamMethod,
  type MicroserviceOptions,
  RpcException,
  Transport,
} from '@nestjs/microservices';
import { NEVER, type Observable, concat, lastValueFrom, of } from 'rxjs';
import { freePort } from '../../tools/testing/free-port.js';
import type { Peer } from './claim.js';

const PROTO = `syntax = "proto3";
package compared;
message Note { string text = 1; }
service Notes {
  rpc Read(Note) returns (Note);
  rpc Closed(Note) returns (Note);
  rpc Raw(stream Note) returns (Note);
  rpc Sum(stream Note) returns (Note);
  rpc Nobody(Note) returns (Note);
  rpc Watch(Note) returns (stream Note);
}`;
const DEADLINE_MS = 1_500;
/** Field 1 with a wire type that there is not. */
const UNREADABLE = Buffer.from([0x0f]);
const READABLE = Buffer.from([0x0a, 0x01, 0x61]);

const deny: CanActivate = {
  canActivate: () => {
    throw new RpcException({ code: status.PERMISSION_DENIED, message: 'no' });
  },
};

@Controller()
class Notes {
  @GrpcMethod('Notes', 'Read') read() {
    return { text: 'read' };
  }

  @UseGuards(deny)
  @GrpcMethod('Notes', 'Closed')
  closed() {
    return { text: 'closed' };
  }

  @UseGuards(deny)
  @GrpcStreamCall('Notes', 'Raw')
  raw(): void {}

  @GrpcStreamMethod('Notes', 'Sum') async sum(notes: Observable<unknown>) {
    await lastValueFrom(notes);
    return { text: 'sum' };
  }

  @GrpcMethod('Notes', 'Watch') watch() {
    return concat(of({ text: 'first' }), NEVER);
  }

  /** Of no method in the proto. */
  @GrpcMethod('Notes', 'Misspelt') misspelt() {
    return { text: 'never' };
  }
}

@Module({ controllers: [Notes] })
class App {}

interface Served {
  readonly app: INestMicroservice;
  readonly client: Client;
}

/** Serves the notes with these options of Nest's, for as long as `use` runs. */
async function serving<T>(options: object, use: (served: Served) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'apix-compared-'));
  const protoPath = join(folder, 'notes.proto');
  writeFileSync(protoPath, PROTO);
  const url = `127.0.0.1:${await freePort()}`;
  const app = await NestFactory.createMicroservice<MicroserviceOptions>(App, {
    transport: Transport.GRPC,
    options: { package: 'compared', protoPath, url, ...options },
    logger: false,
  });
  await app.listen();
  const client = new Client(url, credentials.createInsecure());
  try {
    return await use({ app, client });
  } finally {
    client.close();
    await app.close();
    rmSync(folder, { recursive: true });
  }
}

const asIs = (bytes: Buffer): Buffer => bytes;

/** The status that a call of this method ends with. */
function statusOf(method: string, sent: Buffer): Promise<string> {
  const call = ({ client }: Served): Promise<string> =>
    new Promise((resolve) => {
      const ended = (error: ServiceError | null): void =>
        resolve(error === null ? 'OK' : (status[error.code] ?? String(error.code)));
      const deadline = Date.now() + DEADLINE_MS;
      const path = `/compared.Notes/${method}`;
      if (method === 'Raw' || method === 'Sum') {
        const stream = client.makeClientStreamRequest(path, asIs, asIs, { deadline }, ended);
        stream.on('error', () => {});
        stream.end(sent);
      } else client.makeUnaryRequest(path, asIs, asIs, sent, { deadline }, ended);
    });
  return serving({}, call);
}

/** What a stop does to a stream that does not end: waits for it, or ends it within a second and a half. */
function stopWithStream(options: object): Promise<string> {
  return serving(options, async ({ app, client }) => {
    const call = client.makeServerStreamRequest('/compared.Notes/Watch', asIs, asIs, READABLE);
    call.on('error', () => {});
    await once(call, 'data');
    const closed = app.close().then(() => 'ends it');
    const seen = await Promise.race([closed, sleep(DEADLINE_MS, 'waits for it')]);
    call.cancel();
    await closed;
    return seen;
  });
}

export const nestGrpc: Peer = {
  name: '@nestjs/microservices',
  claims: [
    {
      says: 'a handler that fits nothing in the proto does not keep the app from starting',
      expected: 'OK',
      see: () => statusOf('Read', READABLE),
    },
    {
      says: 'a method without a handler is found by callers',
      expected: 'UNIMPLEMENTED',
      see: () => statusOf('Nobody', READABLE),
    },
    {
      says: 'what a guard denies is decoded first, so that an unreadable message is INTERNAL',
      expected: 'INTERNAL',
      see: () => statusOf('Closed', UNREADABLE),
    },
    {
      says: 'a call of @GrpcStreamCall that a guard denies is a rejection that nobody handles, and hangs',
      expected: 'a rejection, and DEADLINE_EXCEEDED',
      see: async () => {
        let rejections = '';
        const note = (): void => void (rejections = 'a rejection, and ');
        process.on('unhandledRejection', note);
        const ended = await statusOf('Raw', READABLE);
        process.off('unhandledRejection', note);
        return rejections + ended;
      },
    },
    {
      says: 'a stop cuts off an open stream at once',
      expected: 'ends it',
      see: () => stopWithStream({}),
    },
    {
      says: 'with gracefulShutdown a stop waits for an open stream without a limit, gracePeriod or not',
      expected: 'waits for it, waits for it',
      see: async () => {
        const without = await stopWithStream({ gracefulShutdown: true });
        return `${without}, ${await stopWithStream({ gracefulShutdown: true, gracePeriod: 300 })}`;
      },
    },
    {
      says: 'await on a stream of requests hangs',
      expected: 'DEADLINE_EXCEEDED',
      see: () => statusOf('Sum', READABLE),
    },
  ],
};
