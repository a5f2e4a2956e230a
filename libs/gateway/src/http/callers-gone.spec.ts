import { type IncomingMessage, get } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { useRig } from '../fixtures/rig.fixture.js';

/** More than Node's HTTP/2 server lets be reset before it ends a connection: 1,000, and 33 a second. */
const CALLERS = 1_500;

/** Opens an endless stream. */
function open(port: number): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const path = '/v1/count?to=1000000&delayMs=20';
    get({ port, path, agent: false }, resolve).on('error', reject);
  });
}

function leave(stream: IncomingMessage): Promise<unknown> {
  return new Promise((resolve) => {
    stream.on('error', () => {}).once('close', resolve);
    stream.destroy();
  });
}

describe('callers who go away', () => {
  const rig = useRig('network');

  it('end the call of nobody else', async () => {
    const port = await rig.start();
    const other = await open(port);
    let text = '';
    other.on('data', (chunk) => (text += chunk));
    let coming = CALLERS;
    const comeAndGo = async (): Promise<void> => {
      while (coming-- > 0) await leave(await open(port));
    };
    await Promise.all(Array.from({ length: 50 }, comeAndGo));
    text = '';
    await new Promise((resolve) => other.once('data', resolve));
    expect(text).toMatch(/^\{"result"/);
    await leave(other);
  });
});
