import type { ServerResponse } from 'node:http';
import { type Clock, endResponse, writePart } from '@apix/contracts';
import { sendResponse, refusesType } from '@apix/contracts/internal';

/** The limit of unsent data for a viewer that does not read, in bytes; above it, the viewer is dropped. */
const MOST_UNREAD = 1_048_576;

/**
 * How long a viewer is served, in milliseconds. It then reconnects by itself, and the page's
 * guards decide again.
 */
const MAX_AGE_MS = 900_000;

/** In milliseconds; a browser's own value is up to it. */
const RECONNECT_MS = 2_000;

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  // nginx would otherwise buffer the stream.
  'x-accel-buffering': 'no',
};

interface Viewer {
  readonly tab: string;
  readonly cancelEnd: () => void;
}

/** The viewers of the page, each with a tab open: streams of server-sent events. */
export class Viewers {
  readonly #viewers = new Map<ServerResponse, Viewer>();
  /** Called after a viewer has left. */
  onLeave = (): void => {};

  constructor(
    private readonly most: number,
    private readonly clock: Clock,
  ) {}

  get size(): number {
    return this.#viewers.size;
  }

  /** Whether somebody has the tab open. */
  see(tab: string): boolean {
    return [...this.#viewers.values()].some((viewer) => viewer.tab === tab);
  }

  /** Begins a stream with a message; above the limit of viewers it answers 503, and 406 who refuses events. */
  add(response: ServerResponse, message: string, tab: string): void {
    if (this.#viewers.size >= this.most) {
      sendResponse(response, 503, { 'retry-after': '60' });
      return;
    }
    if (refusesType(response.req.headers.accept, HEADERS['content-type'])) {
      sendResponse(response, 406);
      return;
    }
    response.writeHead(200, HEADERS);
    if (response.req.method === 'HEAD') {
      endResponse(response);
      return;
    }
    const cancelEnd = this.clock.after(MAX_AGE_MS, () => this.#end(response));
    this.#viewers.set(response, { tab, cancelEnd });
    response.on('close', () => this.#forget(response));
    // The connection may break, or the drain may end it, at any write; the viewer reconnects.
    response.on('error', () => {});
    writePart(response, `retry: ${RECONNECT_MS}\n\n`);
    writePart(response, eventOf(message));
  }

  /** @param messageOf the message for a tab, without line breaks, such as JSON; called once for each open tab. */
  send(messageOf: (tab: string) => string): void {
    const events = new Map<string, string>();
    for (const [response, { tab }] of this.#viewers) {
      const event = events.get(tab) ?? eventOf(messageOf(tab));
      events.set(tab, event);
      if (response.writableLength > MOST_UNREAD) response.destroy();
      else writePart(response, event);
    }
  }

  endAll(): void {
    for (const response of this.#viewers.keys()) this.#end(response);
  }

  #end(response: ServerResponse): void {
    this.#forget(response);
    endResponse(response);
  }

  #forget(response: ServerResponse): void {
    const viewer = this.#viewers.get(response);
    if (viewer === undefined) return;
    viewer.cancelEnd();
    this.#viewers.delete(response);
    this.onLeave();
  }
}

function eventOf(message: string): string {
  return `data: ${message}\n\n`;
}
