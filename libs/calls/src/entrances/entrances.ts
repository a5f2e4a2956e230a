import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { writesHeadAtOnce } from '../patches/response-head.js';
import { type WatchableServer, watchServer } from '../patches/server-emit.js';

/** From the outermost to the innermost. */
const ENTRANCE_PLACES = ['trace', 'log', 'call'] as const;

/**
 * What each HTTP request passes before any code of its framework, for example to start a span or a logger.
 */
export interface RequestEntrance {
  /** Which others a request has passed before: `trace` before `log` before `call`; in one place, in order of arrival. */
  readonly place: (typeof ENTRANCE_PLACES)[number];
  /** Calls `run` once, in whatever context the request is to be handled. */
  request(req: IncomingMessage, res: ServerResponse, run: () => void): void;
  /** The same for a connection that is handed over, by an upgrade or CONNECT. Default: it is only run. */
  upgrade?(req: IncomingMessage, socket: Duplex, run: () => void): void;
  /** A request that is refused before it is one; a listener answers, or else Node does. Default: nothing. */
  refuse?(error: unknown): void;
}

/**
 * Marks the holder of the entrances, a server or Nest's adapter host, so that all installed copies share
 * them.
 */
const ENTRANCES = Symbol.for('apix.calls.Entrances');

/** On a request: the entrances that it has passed. */
const PASSED = Symbol.for('apix.calls.PassedEntrances');

interface Holder {
  [ENTRANCES]?: Entrances;
}

interface Passing {
  [PASSED]?: Entrances;
}

/** The entrances of one server, in the order of their places however they arrive. A request passes each once. */
// Why: docs/decisions/0281
export class Entrances {
  /** Whether the framework keeps the headers of an answer apart, and writes them at once. */
  writesHeadAtOnce = false;
  /** Called by the framework for each request, with the request that it gives handlers. */
  noteRoute: ((raw: object, request: object, response: ServerResponse) => void) | undefined;
  #inOrder: readonly RequestEntrance[] = [];
  #watchers = 0;
  #unwatch: () => void = () => {};

  /** Those of a server or an adapter host; made at the first question. */
  static of(holder: object): Entrances {
    return ((holder as Holder)[ENTRANCES] ??= new Entrances());
  }

  /** @returns a function that takes it away again. */
  add(entrance: RequestEntrance): () => void {
    this.#inOrder = [...this.#inOrder, entrance].toSorted((a, b) => rankOf(a) - rankOf(b));
    return () => {
      this.#inOrder = this.#inOrder.filter((it) => it !== entrance);
    };
  }

  /** Runs a request's handling within all entrances that it has not passed yet. */
  request(req: IncomingMessage & Passing, res: ServerResponse, run: () => void): void {
    if (req[PASSED] === this || this.#inOrder.length === 0) return run();
    req[PASSED] = this;
    // Node's HTTP/2 has no such fast path.
    if (this.writesHeadAtOnce && req.httpVersionMajor < 2) writesHeadAtOnce(res);
    requestFrom(this.#inOrder, 0, req, res, run);
  }

  hasPassed(req: IncomingMessage & Passing): boolean {
    return req[PASSED] === this;
  }

  /** The same for a connection that is handed over. */
  upgrade(req: IncomingMessage & Passing, socket: Duplex, run: () => void): void {
    if (req[PASSED] === this || this.#inOrder.length === 0) return run();
    req[PASSED] = this;
    upgradeFrom(this.#inOrder, 0, req, socket, run);
  }

  refuse(error: unknown): void {
    for (const entrance of this.#inOrder) entrance.refuse?.(error);
  }

  /**
   * Makes the requests of a server pass, including those that its framework answers before any of its
   * hooks.
   *
   * @returns a function that undoes it; the last one who does gives `emit` back.
   */
  watch(server: WatchableServer): () => void {
    if (this.#watchers++ === 0) this.#unwatch = watchServer(server, this);
    let isWatching = true;
    return () => {
      if (!isWatching) return;
      isWatching = false;
      if (--this.#watchers === 0) this.#unwatch();
    };
  }
}

/**
 * Makes every request of a server of Node, `http`, `https` or `http2`, pass an entrance.
 *
 * @returns a function that undoes it.
 */
export function enterServer(server: WatchableServer, entrance: RequestEntrance): () => void {
  const entrances = Entrances.of(server);
  const undo = [entrances.add(entrance), entrances.watch(server)];
  return () => {
    for (const each of undo) each();
  };
}

function rankOf({ place }: RequestEntrance): number {
  return ENTRANCE_PLACES.indexOf(place);
}

function requestFrom(
  all: readonly RequestEntrance[],
  index: number,
  req: IncomingMessage,
  res: ServerResponse,
  run: () => void,
): void {
  const next = index + 1;
  const inner = next === all.length ? run : () => requestFrom(all, next, req, res, run);
  all[index]!.request(req, res, inner);
}

function upgradeFrom(
  all: readonly RequestEntrance[],
  index: number,
  req: IncomingMessage,
  socket: Duplex,
  run: () => void,
): void {
  const entrance = all[index];
  if (entrance === undefined) return run();
  const inner = (): void => upgradeFrom(all, index + 1, req, socket, run);
  if (entrance.upgrade === undefined) inner();
  else entrance.upgrade(req, socket, inner);
}
