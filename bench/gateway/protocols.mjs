import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { load, measure, median } from './measure.mjs';
import { ended, rssOf, start } from './processes.mjs';

const STREAMS = 1_000;
const GOAL = 2.5;
const NAME = Buffer.from('products/pot');
const MESSAGE = Buffer.concat([Buffer.from([0x0a, NAME.length]), NAME]);
const framed = (bytes) => Buffer.concat([Buffer.from([0, 0, 0, 0, bytes.length]), bytes]);

const post = (type, body, isHttp2 = false) => ({
  path: '/shop.v1.Catalog/Get',
  method: 'POST',
  headers: { 'content-type': `application/${type}` },
  body,
  isHttp2,
});

const PROTOCOLS = [
  { name: 'Connect, JSON', asked: post('json', '{"name":"products/pot"}') },
  { name: 'Connect, binary', asked: post('proto', MESSAGE) },
  { name: 'gRPC-Web', asked: post('grpc-web+proto', framed(MESSAGE)) },
  { name: 'gRPC, HTTP/2', asked: post('grpc', framed(MESSAGE), true) },
];

/** Starts Connect's server for Node and a gateway in the process of its handlers. */
async function startBoth(folder, env, isHttp2) {
  const own = { ...env, PORT_OF_ITS_OWN: 'yes', PROTOCOLS: 'yes' };
  const theirs = await start(join(folder, 'connect.mjs'), {
    ...env,
    ...(isHttp2 && { HTTP2: 'yes' }),
  });
  const ours = await start(join(folder, 'in-process.mjs'), own);
  return [theirs, ours].map(({ child, port }) => ({ name: 'server', port, children: [child] }));
}

async function stop(both) {
  const children = both.flatMap((one) => one.children);
  for (const child of children) child.kill('SIGTERM');
  await Promise.all(children.map(ended));
}

/** By requests, not by time: on a busy machine a second has too few of them for V8 to be done. */
async function warm(one, asked, how, requests) {
  for (let made = 0; made < requests;) made += (await load(one, asked, how)).total;
}

/** One row a protocol: the gateway beside Connect's own server, by turns. */
export async function measureProtocols(folder, env, { starts, rounds, warmUp, ...how }) {
  for (const { name, asked } of PROTOCOLS) {
    const results = [[], []];
    for (let started = 0; started < starts; started++) {
      const both = await startBoth(folder, env, asked.isHttp2);
      try {
        for (const one of both) await warm(one, asked, how, warmUp);
        for (let round = 0; round < rounds; round++) {
          for (const [i, one] of both.entries()) results[i].push(await measure(one, asked, how));
        }
      } finally {
        await stop(both);
      }
    }
    const column = (i, key) => median(results[i].map((result) => result[key])).toFixed(0);
    const ratio = (key) =>
      median(results[1].map((result, at) => results[0][at][key] / result[key]));
    const perCpu = ratio('cpuUs');
    console.log(
      `${name.padEnd(16)} connect-node ${column(0, 'cpuUs').padStart(4)} µs a request, ` +
        `${column(0, 'perSecond')} requests/s; gateway ${column(1, 'cpuUs').padStart(4)} µs, ` +
        `${column(1, 'perSecond')} requests/s; requests per CPU ${perCpu.toFixed(2)} ` +
        `(goal ${GOAL}: ${perCpu >= GOAL ? 'yes' : 'NO'})`,
    );
  }
  await measureOpenStreams(folder, env);
}

/** The memory of open streams, and what is left of it when their callers have gone. */
async function measureOpenStreams(folder, env) {
  const both = await startBoth(folder, env, false);
  try {
    for (const [i, one] of both.entries()) {
      await load(one, PROTOCOLS[0].asked, { connections: 16, seconds: 1 });
      const [child] = one.children;
      const before = rssOf(child);
      const open = await Promise.all(Array.from({ length: STREAMS }, () => openStream(one.port)));
      await sleep(1_000);
      const held = rssOf(child);
      for (const sent of open) sent.destroy();
      await sleep(1_000);
      console.log(
        `1,000 open streams, ${i === 0 ? 'connect-node' : 'gateway'}: ` +
          `${before.toFixed(0)} MB before, ${held.toFixed(0)} MB with them ` +
          `(${(((held - before) * 1024) / STREAMS).toFixed(0)} kB each), ` +
          `${rssOf(child).toFixed(0)} MB after they were cancelled`,
      );
    }
  } finally {
    await stop(both);
  }
}

/** A stream of Connect over HTTP/1, once its first message is there. */
function openStream(port) {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/connect+json' };
    const path = '/shop.v1.Orders/Watch';
    const sent = request({ host: '127.0.0.1', port, path, method: 'POST', headers, agent: false });
    sent.on('response', (response) =>
      response
        .on('error', () => {})
        .once('data', (chunk) =>
          chunk[0] === 0 ? resolve(sent) : reject(new Error(chunk.toString())),
        ),
    );
    sent.on('error', reject);
    sent.end(framed(Buffer.from('{}')));
  });
}
