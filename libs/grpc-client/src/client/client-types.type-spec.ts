/**
 * What compiles and what does not, checked by `npm run typecheck`: an expected error that does
 * not come is an error itself.
 */
import { createClient } from './create-client.js';
import { type Kinds, Probe, type ProbeService } from './probe-service.fixture.js';
import type { Client } from './client-types.js';

declare const client: Client<ProbeService>;

export async function right(): Promise<readonly string[]> {
  const { stringValue }: Kinds = await client.unary({ stringValue: 'x', child: { int32Value: 1 } });
  for await (const { int64Value } of client.serverStream({})) int64Value.toString(2);
  const { stringList } = await client.clientStream([{ stringValue }]);
  async function* requests() {
    yield { stringValue };
  }
  for await (const each of client.bidiStream(requests(), { timeout: '1s' })) each.stringValue.at(0);
  return stringList;
}

export function wrong(): void {
  // @ts-expect-error the request has no such field
  void client.unary({ stringValu: 'x' });
  // @ts-expect-error the field has another type
  void client.unary({ int32Value: '1' });
  // @ts-expect-error there is no such method
  void client.unry({});
  // @ts-expect-error a request is missing
  void client.unary();
  // @ts-expect-error one request, where the method takes a stream of them
  void client.clientStream({});
  // @ts-expect-error a stream of requests, where the method takes one
  void client.unary([{}]);
  // @ts-expect-error a stream of requests of another type
  void client.bidiStream([{ stringValue: 1 }]);
  function* texts() {
    yield { int32Value: 'one' };
  }
  // @ts-expect-error a generator of another type
  void client.clientStream(texts());
  // @ts-expect-error an option that there is not
  void client.unary({}, { deadline: 5 });
  // @ts-expect-error a method that the service does not have
  createClient(Probe, { endpoint: 'a:1', methods: { unry: {} } });
}

export async function wrongAnswers(): Promise<void> {
  // @ts-expect-error one response is awaited, not iterated
  const one: AsyncIterable<Kinds> = client.unary({});
  // @ts-expect-error a stream of responses is iterated, not awaited
  const many: Promise<Kinds> = client.serverStream({});
  // @ts-expect-error the answer has no such field
  void (await client.unary({})).stringValu;
  void [one, many];
}

export function retries(): void {
  const endpoint = 'catalog:50051';
  createClient(Probe, { endpoint, methods: { unary: { retry: { on: ['UNAVAILABLE'] } } } });
  // @ts-expect-error there is no such status
  createClient(Probe, { endpoint, retry: { on: ['UNAVAILIBLE'] } });
  // @ts-expect-error there is no such method
  createClient(Probe, { endpoint, methods: { unarry: { retry: {} } } });
  // @ts-expect-error a hedge needs its delay
  createClient(Probe, { endpoint, hedge: {} });
}
