import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cleanEnv, shell as silently } from '../existing-app/shell.mjs';

/** Runs a command of the app's team, and gives back what it prints. */
export function shell(folder, command, env) {
  console.log(`$ ${command}`);
  return silently(folder, `${command} </dev/null`, env);
}

/** A command that stays, and its whole process group. */
export function start(folder, env, command, ...args) {
  console.log(`$ ${[command, ...args].join(' ')}`);
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...cleanEnv, NO_COLOR: '1', ...env },
    detached: true,
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${command} cannot be started`);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data) => (output += data));
  }
  let isOver = false;
  const ended = new Promise((resolve) => child.on('close', resolve)).then(() => (isOver = true));
  return {
    output: () => output,
    /** Resolves when it answers, with this status if one is given. */
    async answers(url, status) {
      for (;;) {
        if (isOver) throw new Error(`the app ended\n${output}`);
        const got = await statusOf(url);
        if (got !== undefined && (status === undefined || got === status)) return;
        await sleep(50);
      }
    },
    /** Resolves when it has printed the text, or after ten seconds. */
    async prints(text) {
      for (let tries = 0; tries < 200 && !output.includes(text); tries++) await sleep(50);
    },
    async stop() {
      process.kill(-pid, 'SIGINT');
      await ended;
    },
    async kill() {
      if (isOver) return;
      process.kill(-pid, 'SIGKILL');
      await ended;
    },
  };
}

/** Undefined while nobody listens. */
async function statusOf(url) {
  try {
    return (await fetch(url)).status;
  } catch {
    return undefined;
  }
}

/** A call by the grpc-js of the app: a message with one text in its first field, there and back. */
export function call(folder, port, method, text, authorization) {
  const require = createRequire(join(folder, 'package.json'));
  const { Client, Metadata, credentials } = require('@grpc/grpc-js');
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  const metadata = new Metadata();
  if (authorization !== undefined) metadata.set('authorization', authorization);
  const bytes = Buffer.from(text);
  const message = Buffer.concat([Buffer.from([0x0a, bytes.length]), bytes]);
  const same = (value) => value;
  return new Promise((resolve) => {
    client.makeUnaryRequest(method, same, same, message, metadata, (error, answer) => {
      client.close();
      resolve({ code: error?.code ?? 0, text: answer?.subarray(2).toString() });
    });
  });
}

/** Fails with what the app printed, if the two differ. */
export function same(what, actual, wanted, output = '') {
  const [is, should] = [JSON.stringify(actual), JSON.stringify(wanted)];
  if (is !== should) throw new Error(`${what}: ${is}, not ${should}\n${output}`);
  console.log(`ok  ${what}${is.length > 100 ? '' : `: ${is}`}`);
}
