import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Caller } from './call/caller.js';
import { Gateway } from './http/gateway.js';
import { bodyCases } from './testkit/conformance/body-cases.js';
import type { ConformanceCase } from './testkit/conformance/case.js';
import { httpCases } from './testkit/conformance/http-cases.js';
import { pathCases } from './testkit/conformance/path-cases.js';
import { queryCases } from './testkit/conformance/query-cases.js';
import { type EchoServer, startEchoServer, transcodingRegistry } from './testkit/echo-server.js';
import { type Answer, type Served, ask, serve } from './testkit/serve.js';

const registry = transcodingRegistry();

describe.each(['network'])('over the %s', () => {
  let echo: EchoServer;
  let caller: Caller;
  let served: Served;

  beforeAll(async () => {
    echo = await startEchoServer(registry);
    caller = new Caller({ endpoint: echo.endpoint });
    served = await serve(new Gateway(registry, caller).handle);
  });
  afterAll(async () => {
    await served.close();
    caller.close();
    echo.stop();
  });

  it.each(
    [...pathCases, ...queryCases, ...bodyCases, ...httpCases].map(
      (one) => [one.source, one.request.slice(0, 100), one] as const,
    ),
  )('%s: %s', async (_source, _request, one) => {
    const [method = '', path = ''] = one.request.split(' ');
    expect(seen(one, await ask(served.port, path, { ...one.ask, method }))).toEqual(wanted(one));
  });
});

/** The part of an answer that a case speaks of. */
function seen(one: ConformanceCase, answer: Answer): unknown {
  const detail = String((answer.json as { detail?: unknown } | null | undefined)?.detail);
  return {
    status: answer.status,
    ...('json' in one && { json: answer.json }),
    ...(one.text !== undefined && { text: answer.text }),
    ...(one.detail && { detail: one.detail.test(detail) ? one.detail : detail }),
    headers: Object.fromEntries(
      Object.keys(one.headers ?? {}).map((name) => [name, answer.headers[name]]),
    ),
  };
}

function wanted(one: ConformanceCase): unknown {
  const { status, json, text, detail, headers = {} } = one;
  return {
    status,
    ...('json' in one && { json }),
    ...(text !== undefined && { text }),
    ...(detail && { detail }),
    headers,
  };
}
