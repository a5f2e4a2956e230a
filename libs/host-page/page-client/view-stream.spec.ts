import { describe, expect, it } from '@jest/globals';
import { view } from './page.fixture.js';
import { type StreamAnswer, type StreamBrowser, ViewStream } from './view-stream.js';

const CONNECTING = 0;
const CLOSED = 2;
Object.assign(globalThis, { EventSource: { CLOSED } });

/** A browser of which the clock, the connections and the answers are in the hand of the test. */
class FakeBrowser implements StreamBrowser {
  time = 0;
  answer: StreamAnswer | undefined;
  readonly sources: FakeSource[] = [];
  readonly timers: { readonly ms: number; readonly run: () => void }[] = [];

  open(url: URL): FakeSource {
    const source = new FakeSource(url.href);
    this.sources.push(source);
    return source;
  }

  ask = () => Promise.resolve(this.answer);
  now = () => this.time;
  after = (ms: number, run: () => void) => this.timers.push({ ms, run });
}

class FakeSource {
  readyState = CONNECTING;
  constructor(readonly url: string) {}

  close(): void {
    this.readyState = CLOSED;
  }

  readonly #listeners = new Map<string, (event: never) => void>();

  addEventListener(type: string, listener: unknown): void {
    this.#listeners.set(type, listener as (event: never) => void);
  }

  hear(intervalMs: number): void {
    const keeps = { events: 1, samples: 1, intervalMs };
    this.#listeners.get('message')!({ data: JSON.stringify(view({ keeps })) } as never);
  }

  fail(readyState: number): void {
    this.readyState = readyState;
    this.#listeners.get('error')!({} as never);
  }
}

function streamOf() {
  const browser = new FakeBrowser();
  const links: string[] = [];
  const stream: ViewStream = new ViewStream(
    new URL('http://host/stream'),
    browser,
    () => links.push('view'),
    () => links.push(stream.link),
  );
  return { browser, stream, links };
}

/** Lets what waits for an answer go on. */
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

describe('the stream of the page', () => {
  it('leaves it to the browser to connect again where that does', () => {
    const { browser, stream, links } = streamOf();
    browser.sources[0]!.hear(1_000);
    browser.sources[0]!.fail(CONNECTING);
    expect(stream.link).toBe('lost');
    browser.sources[0]!.hear(1_000);
    expect(stream.link).toBe('live');
    expect(links).toEqual(['view', 'lost', 'view']);
    expect(browser.sources).toHaveLength(1);
  });

  it.each([
    ['a proxy has nothing behind it', { status: 502, retryAfterMs: 0 }, 2_000],
    ['there is one viewer too many', { status: 503, retryAfterMs: 60_000 }, 60_000],
    ['nothing answers', undefined, 2_000],
  ])('connects again by itself where %s', async (_, answer, afterMs) => {
    const { browser, stream } = streamOf();
    browser.answer = answer;
    browser.sources[0]!.fail(CLOSED);
    await settled();
    expect(stream.link).toBe('lost');
    const [{ ms, run } = { ms: 0, run: () => {} }] = browser.timers;
    expect(ms).toBe(afterMs);
    run();
    browser.sources[1]!.hear(1_000);
    expect(stream.link).toBe('live');
  });

  it.each([401, 403])('ends where the page is refused with %d', async (status) => {
    const { browser, links } = streamOf();
    browser.answer = { status, retryAfterMs: 0 };
    browser.sources[0]!.fail(CLOSED);
    await settled();
    expect(links).toEqual(['lost', 'over']);
    expect(browser.timers).toHaveLength(0);
  });

  it.each([
    [250, 5_000],
    [10_000, 40_000],
  ])('counts a host that sends every %d ms as lost after %d ms', (intervalMs, silentMs) => {
    const { browser, stream } = streamOf();
    browser.sources[0]!.hear(intervalMs);
    browser.time = silentMs;
    expect(stream.link).toBe('live');
    browser.time = silentMs + 1;
    expect(stream.link).toBe('lost');
    browser.sources[0]!.hear(intervalMs);
    expect(stream.link).toBe('live');
  });

  it('continues at another address, and hears nothing more of the one before', async () => {
    const { browser, stream, links } = streamOf();
    browser.answer = { status: 502, retryAfterMs: 0 };
    const [first] = browser.sources;
    first!.fail(CLOSED);
    stream.follow(new URL('http://host/stream?tab=jobs'));
    stream.follow(new URL('http://host/stream?tab=jobs'));
    await settled();
    first!.fail(CLOSED);
    expect(browser.sources.map(({ url }) => url)).toEqual([
      'http://host/stream',
      'http://host/stream?tab=jobs',
    ]);
    expect([first!.readyState, browser.timers]).toEqual([CLOSED, []]);
    browser.sources[1]!.hear(1_000);
    expect(links).toEqual(['lost', 'view']);
    expect(stream.link).toBe('live');
  });
});
