import { Code } from '@apix/contracts';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type ClientHttp2Session, connect, constants } from 'node:http2';
import { echoServer, stage } from './echo-server.fixture.js';

const sessions: ClientHttp2Session[] = [];
afterEach(() => {
  for (const session of sessions.splice(0)) session.destroy();
});

/** How a call ends whose caller resets the stream as soon as the handler has begun. */
async function resetAtOnce(timeout: Record<string, string>): Promise<Code> {
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => (begin = resolve));
  let end = (_code: Code): void => {};
  const ended = new Promise<Code>((resolve) => (end = resolve));
  const { client } = await echoServer([stage('log', { onEnd: (_call, { code }) => end(code) })], {
    bidi_stream: () => begin(),
  });
  const session = connect(`http://${client.getChannel().getTarget().replace(/^dns:/, '')}`);
  sessions.push(session);
  const stream = session.request({
    ':method': 'POST',
    ':path': '/test.Echo/BidiStream',
    'content-type': 'application/grpc',
    te: 'trailers',
    ...timeout,
  });
  stream.on('error', () => {});
  await begun;
  stream.close(constants.NGHTTP2_CANCEL);
  return ended;
}

describe('a stream that its caller resets', () => {
  it.each([
    ['shortly before the deadline, as a client does whose time is up', '20m', 'DEADLINE_EXCEEDED'],
    ['long before the deadline', '1M', 'CANCELLED'],
  ] as const)('%s, ends as that: %s, %s', async (_, timeout, code) => {
    expect(Code[await resetAtOnce({ 'grpc-timeout': timeout })]).toBe(code);
  });

  it('ends as cancelled without a deadline', async () => {
    expect(await resetAtOnce({})).toBe(Code.CANCELLED);
  });
});
