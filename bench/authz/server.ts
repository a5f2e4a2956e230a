// One gRPC server: `node server.mjs none|authz|chain`. Says its port, and its CPU time when asked.
import { openSync, writeSync } from 'node:fs';
import { Authorizer, authzStage } from '@apix/authz/core';
import { authzInterceptor } from '@apix/authz/grpc';
import { stageInterceptor } from '@apix/calls/grpc';
import { CALL_STAGE, type CallStage } from '@apix/contracts';
import { Server, ServerCredentials, type ServerInterceptor } from '@grpc/grpc-js';
import { POLICIES, registryOf } from './world.js';

const variant = process.argv[2];
const everyRole = POLICIES[0].roles.anyOf;
const authorizer = new Authorizer(registryOf(POLICIES), {
  subject: () => ({ roles: everyRole, permissions: [] }),
});

let second = '';
let secondIs = 0;

/** As loggers write it: what comes before the milliseconds is made once a second. */
function timestamp(): string {
  const now = Date.now();
  const ms = now % 1_000;
  if (now - ms !== secondIs) {
    secondIs = now - ms;
    second = new Date(secondIs).toISOString().slice(0, 20);
  }
  return `${second}${ms < 10 ? '00' : ms < 100 ? '0' : ''}${ms}Z`;
}

/** Writes a line of JSON for each call to a file descriptor, a chunk at a time. */
function logStage(): CallStage {
  const fd = openSync('/dev/null', 'w');
  const begun = Symbol('begun');
  let chunk = '';
  const flush = (): void => {
    if (chunk === '') return;
    writeSync(fd, chunk);
    chunk = '';
  };
  setInterval(flush, 100).unref();
  return {
    [CALL_STAGE]: true,
    name: 'log',
    bind: ({ fullName }) => {
      const middle = `","level":"info","method":${JSON.stringify(fullName)},"peer":`;
      return {
        onCall: (call) => void call.values.set(begun, performance.now()),
        onEnd: (call, { code }) => {
          const ms = performance.now() - (call.values.get(begun) as number);
          chunk +=
            `{"time":"${timestamp()}${middle}${JSON.stringify(call.peer.address)},` +
            `"code":${code},"duration":${ms.toFixed(3)}}\n`;
          if (chunk.length > 16_384) flush();
        },
      };
    },
  };
}

const INTERCEPTORS: Readonly<Record<string, readonly ServerInterceptor[]>> = {
  none: [],
  authz: [authzInterceptor(authorizer)],
  chain: [
    stageInterceptor([logStage(), authzStage(authorizer)], (name) =>
      authorizer.methods.callMethodOf(name),
    ),
  ],
};

const same = (bytes: Buffer): Buffer => bytes;
const server = new Server({ interceptors: [...INTERCEPTORS[variant]] });
server.addService(
  {
    Call: {
      path: POLICIES[0].method,
      requestStream: false,
      responseStream: false,
      requestSerialize: same,
      requestDeserialize: same,
      responseSerialize: same,
      responseDeserialize: same,
    },
  },
  {
    Call: (call: { request: Buffer }, done: (error: null, value: Buffer) => void) =>
      done(null, call.request),
  },
);
server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  process.send!({ port, path: POLICIES[0].method });
});
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send!({ cpuMs: (user + system) / 1_000 });
});
process.on('disconnect', () => process.exit());
