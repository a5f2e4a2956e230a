import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { enterServer } from '@apix/calls/internal';
import { type TraceIds } from '@apix/contracts';
import { offerActiveTrace } from '@apix/contracts/internal';
import { afterEach, describe, expect, it } from '@jest/globals';
import { fromContext } from '../context/logger-context.js';
import { HttpDoor } from '../http/http-door.js';
import { loggedUntil } from '../request/logged-until.fixture.js';
import { collectingSink } from '../testing/collecting-sink.js';
import type { LoggedEvent } from '../testing/logged-events.js';
import { createLogger } from './create-logger.js';

const SERVER: TraceIds = { traceId: 'a'.repeat(32), spanId: '1'.repeat(16) };
const INNER: TraceIds = { traceId: 'a'.repeat(32), spanId: '2'.repeat(16) };

let active: TraceIds | undefined;
const undo: (() => void)[] = [];

afterEach(() => {
  active = undefined;
  for (const each of undo.splice(0)) each();
});

function offered() {
  undo.push(offerActiveTrace(() => active));
  const logged = collectingSink();
  const log = createLogger({ sinks: [logged] });
  const events = (): LoggedEvent[] => logged.lines.map((line) => JSON.parse(line) as LoggedEvent);
  const ids = (): unknown[] => events().map((it) => [it['trace_id'], it['span_id']]);
  return { logged, log, events, ids };
}

describe('an event', () => {
  it('has the ids of the span that is active when it is written', () => {
    const { log, ids } = offered();
    log.information('before');
    for (active of [SERVER, INNER, INNER, SERVER]) log.information('in {Span}', active.spanId);
    active = undefined;
    log.information('after');
    const [server, inner] = [SERVER, INNER].map(({ traceId, spanId }) => [traceId, spanId]);
    const none = [undefined, undefined];
    expect(ids()).toEqual([none, server, inner, inner, server, none]);
  });

  it('of a logger with ids of its own has those of the active span', () => {
    const { log, ids } = offered();
    const child = log.forContextValues({ trace_id: 'b'.repeat(32), span_id: '3'.repeat(16) });
    active = INNER;
    child.pino.info('from pino');
    child.information('from logx');
    expect(ids()).toEqual([
      [INNER.traceId, INNER.spanId],
      [INNER.traceId, INNER.spanId],
    ]);
  });

  it('is written if the code that creates spans fails', () => {
    const { log, logged } = offered();
    undo.push(
      offerActiveTrace(() => {
        throw new Error('broken');
      }),
    );
    log.information('still there');
    expect(logged.messages).toEqual(['still there']);
  });
});

it('the own event of a request is of the span in which the request began', async () => {
  const { log, logged, events } = offered();
  const server = createServer((_req, res) => {
    active = INNER;
    fromContext().information('inside');
    res.end();
  });
  enterServer(server, new HttpDoor(log));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  active = SERVER;
  const { port } = server.address() as AddressInfo;
  await (await fetch(`http://127.0.0.1:${port}`)).text();
  await loggedUntil(logged, '{Method} {Path} -> {Status}');
  server.close();
  expect(events().map((it) => [it['@mt'], it['span_id']])).toEqual([
    ['inside', INNER.spanId],
    ['{Method} {Path} -> {Status}', SERVER.spanId],
  ]);
});
