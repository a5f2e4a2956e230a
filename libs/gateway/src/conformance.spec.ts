import { describe, expect, it } from '@jest/globals';
import { caseRows } from './fixtures/conformance/all-cases.fixture.js';
import type { ConformanceCase } from './fixtures/conformance/case.fixture.js';
import { useRig } from './fixtures/rig.fixture.js';
import { type Answer, ask } from './fixtures/serve.fixture.js';

describe.each(['network', 'http2', 'in-process'] as const)('over the transport %s', (transport) => {
  const rig = useRig(transport);

  it.each(caseRows)('%s: %s', async (_source, _request, one) => {
    const [method = '', path = ''] = one.request.split(' ');
    expect(seen(one, await ask(await rig.start(), path, { ...one.ask, method }))).toEqual(
      wanted(one),
    );
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
