import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { type Clock, deadlineAfter, systemClock } from '@apix/contracts';
import { fakeClock } from '@apix/contracts/testing';
import { expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { type ElasticSink, elasticSink } from './sink/elastic-sink.js';
import type { HttpClient, HttpReply, HttpRequest } from './wire/http-client.js';

type Answer = 'take' | 'some' | 'busy' | 401 | 413 | 503 | 'no connection' | 'nonsense';
type Step = { readonly write: number } | { readonly wait: number } | { readonly flush: true };

const answers = fc.infiniteStream(
  fc.constantFrom<Answer[]>(
    'take',
    'take',
    'some',
    'busy',
    401,
    413,
    503,
    'no connection',
    'nonsense',
  ),
);
const steps = fc.array(
  fc.oneof<fc.Arbitrary<Step>[]>(
    fc.record({ write: fc.integer({ min: 1, max: 30 }) }),
    fc.record({ wait: fc.integer({ min: 1, max: 10_000 }) }),
    fc.record({ flush: fc.constant(true as const) }),
  ),
  { maxLength: 12 },
);

/** Answers as it is told, and keeps the events that it takes. */
function clusterOf(told: Iterator<Answer>, taken: number[]): HttpClient {
  const post = async ({ body }: HttpRequest): Promise<HttpReply> => {
    const numbers = [
      ...Buffer.from(body)
        .toString()
        .matchAll(/"n":(\d+)/g),
    ].map(([, n]) => Number(n));
    const reply = (status: number, text: string): HttpReply => ({
      status,
      headers: {},
      body: Buffer.from(text),
    });
    const answer = told.next().value as Answer;
    switch (answer) {
      case 'no connection':
        throw new Error('connect ECONNREFUSED');
      case 'nonsense':
        return reply(200, '{"took":1}');
      case 'take':
        taken.push(...numbers);
        return reply(200, '{"took":1,"errors":false,"items":[]}');
      case 'some':
      case 'busy': {
        const items = numbers.map((n) => {
          const status = n % 3 === 0 ? 201 : n % 3 === 1 || answer === 'busy' ? 429 : 400;
          if (status === 201) taken.push(n);
          return {
            index: { status, ...(status !== 201 && { error: { type: 't', reason: 'r' } }) },
          };
        });
        return reply(200, JSON.stringify({ took: 1, errors: true, items }));
      }
      case 401:
      case 413:
      case 503:
        return reply(answer, '{}');
    }
  };
  return { post };
}

async function run(told: Iterator<Answer>, plan: readonly Step[], spooled: boolean) {
  const folder = fs.mkdtempSync(join(os.tmpdir(), 'elastic-account-'));
  const always: Iterator<Answer> = { next: () => ({ value: 'take' }) };
  const taken: number[] = [];
  let written = 0;
  let sent = 0;
  let settled = 0;
  const life = async (
    clock: Clock,
    told: Iterator<Answer>,
    act: (sink: ElasticSink) => Promise<void>,
  ) => {
    const sink = elasticSink({
      addresses: ['http://a', 'http://b'],
      index: 'logs',
      batchSize: 5,
      queueSize: 25,
      concurrency: 2,
      clock,
      client: clusterOf(told, taken),
      onError: () => {},
      ...(spooled && { spool: { path: folder } }),
    });
    await act(sink);
    check(sink);
    const stats = sink.stats();
    expect({ queued: stats.queued, spooled: spooled || stats.spooled === 0 }).toEqual({
      queued: 0,
      spooled: true,
    });
    sent += stats.sent;
    settled += stats.sent + stats.failed + stats.dropped;
  };
  try {
    for (let lives = 0; lives < 2; lives++) {
      const clock = fakeClock();
      await life(clock, told, async (sink) => {
        for (const step of plan) {
          if ('write' in step) {
            for (let i = 0; i < step.write; i++) sink.write(`{"n":${written++}}\n`);
          }
          if ('wait' in step) await clock.advance(step.wait);
          if ('flush' in step) void sink.flush();
          check(sink);
        }
        const closing = sink.close(deadlineAfter(20_000, clock)).catch(() => {});
        await clock.advance(20_000);
        await closing;
      });
    }
    // The last only empties what is left, with a cluster that takes everything.
    await life(systemClock, always, (sink) => sink.close());
    expect(settled).toBe(written);
    expect(taken).toHaveLength(sent);
    expect(new Set(taken).size).toBe(taken.length);
    expect(fs.readdirSync(folder)).toEqual([]);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

function check(sink: ElasticSink): void {
  const { logged, recovered, sent, failed, dropped, queued, spooled } = sink.stats();
  expect(sent + failed + dropped + queued + spooled).toBe(logged + recovered);
  expect(Math.min(sent, failed, dropped, queued, spooled)).toBeGreaterThanOrEqual(0);
}

it('the account is exact at every moment, whatever the cluster answers, and survives restarts', async () => {
  await fc.assert(fc.asyncProperty(answers, steps, fc.boolean(), run), { numRuns: 200 });
});
