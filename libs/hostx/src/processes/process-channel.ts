import { thrownText } from '@apix/contracts';
import type { SendHandle } from 'node:child_process';
import { HostError } from '../errors.js';

/** Where a process is to listen; equal ones are one listening socket. */
export interface WantedSocket {
  /** The service that listens, so that two services with port 0 get two ports. */
  readonly name: string;
  readonly port: number;
  /** Undefined: every address. */
  readonly host: string | undefined;
}

/** How the processes of an app are, as the parent tells each of them. */
export interface ProcessesStatus {
  readonly ready: number;
  readonly count: number;
  readonly minReady: number;
  /** Whether the receiver is the one that runs what must run only once. */
  readonly isLeader: boolean;
}

/** How one of several processes of an app is, or its place while there is none. */
export interface ProcessStatus {
  /** Of its place, from 1. In a restart of all, two processes have the same. */
  readonly index: number;
  /** Null while the place waits for its next process. */
  readonly pid: number | null;
  readonly state: 'starting' | 'ready' | 'stopping' | 'ended';
  /** When it was started or, of a place without a process, when the last one ended; in milliseconds since the epoch. */
  readonly since: number;
  /** How often a process of the place has ended by itself. */
  readonly restarts: number;
  /** How the last of these ended, such as `was ended by SIGKILL`; null if none has. */
  readonly lastEnd: string | null;
  /** Resident memory in bytes; null if it does not say. */
  readonly rss: number | null;
}

/** A line of the parent's log, for a process to write. */
export interface RelayedLine {
  readonly level: 'information' | 'warning' | 'error';
  readonly template: string;
  readonly args: readonly unknown[];
  /** The text of the error, with its stack. */
  readonly error?: { readonly message: string; readonly stack?: string | undefined } | undefined;
}

/** What the parent says to a process. */
export type ParentMessage =
  | { readonly kind: 'stop'; readonly reason: string; readonly withoutDelay?: string | undefined }
  | { readonly kind: 'reload' }
  | { readonly kind: 'memory' }
  | { readonly kind: 'collect'; readonly figures: number }
  | ({ readonly kind: 'status' } & ProcessesStatus)
  | ({ readonly kind: 'log' } & RelayedLine);

/** What a process says to the parent. */
export type WorkerMessage =
  | { readonly kind: 'ready'; readonly stopWithinMs: number }
  | ({ readonly kind: 'listen' } & WantedSocket)
  | { readonly kind: 'restart' }
  | { readonly kind: 'reload-all' }
  | { readonly kind: 'processes' }
  | { readonly kind: 'shutdown'; readonly reason: string }
  | { readonly kind: 'metrics'; readonly figures: number }
  | { readonly kind: 'figures'; readonly figures: number; readonly text: string }
  | { readonly kind: 'begin-once'; readonly task: string }
  | { readonly kind: 'end-once'; readonly task: string; readonly done: boolean };

/** An answer that is a listening socket. */
export class HandedSocket {
  constructor(readonly handle: SendHandle) {}
}

/** The channel of a child process, as either side has it. */
export interface ChannelEnd {
  readonly connected?: boolean;
  send?(
    message: unknown,
    handle: SendHandle | undefined,
    sent: (error: Error | null) => void,
  ): unknown;
  on(event: 'message', listener: (message: unknown, handle: unknown) => void): unknown;
  on(event: 'disconnect', listener: () => void): unknown;
}

/** Our messages have this key, so that those of the app and of other managers are left alone. */
const KEY = 'apix.hostx.process';

interface Envelope<Message> {
  readonly id?: number;
  readonly message?: Message;
  readonly answer?: ChannelAnswer;
}

interface ChannelAnswer {
  readonly value?: unknown;
  readonly error?: string;
  readonly code?: string;
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Messages and questions between the parent and one process. */
export class ProcessChannel<Says, Hears> {
  readonly #end: ChannelEnd;
  readonly #waiting = new Map<number, Waiting>();
  #asked = 0;
  #isClosed = false;

  /** @param hears deals with a message; what it returns or throws is the answer, where one is waited for. */
  constructor(end: ChannelEnd, hears: (message: Hears) => unknown) {
    this.#end = end;
    end.on('message', (told, handle) => {
      const envelope = envelopeIn<Hears>(told);
      if (envelope === null) return;
      const { id, message } = envelope;
      if (message !== undefined) void this.#hear(hears, message, id);
      else if (id !== undefined) this.#settle(id, envelope.answer ?? {}, handle);
    });
    end.on('disconnect', () => {
      this.#isClosed = true;
      for (const { reject } of this.#waiting.values()) reject(closed());
      this.#waiting.clear();
    });
  }

  /** Sends a message that has no answer; nothing happens if the other end is gone. */
  tell(message: Says): void {
    this.#send({ message });
  }

  /** Rejects with the error of the other end, or when it goes. */
  ask(message: Says): Promise<unknown> {
    if (this.#isClosed || this.#end.connected === false) return Promise.reject(closed());
    const id = ++this.#asked;
    const answered = new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    this.#send({ id, message });
    return answered;
  }

  async #hear(
    hears: (message: Hears) => unknown,
    message: Hears,
    id: number | undefined,
  ): Promise<void> {
    try {
      const value = await hears(message);
      if (id === undefined) return;
      if (value instanceof HandedSocket) this.#send({ id, answer: {} }, value.handle);
      else this.#send({ id, answer: { value } });
    } catch (error) {
      if (id === undefined) return;
      const { code } = error as NodeJS.ErrnoException;
      this.#send({ id, answer: { error: thrownText(error), ...(code !== undefined && { code }) } });
    }
  }

  #settle(id: number, { value, error, code }: ChannelAnswer, handle: unknown): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) waiting?.resolve(handle ?? value);
    else waiting?.reject(Object.assign(new HostError(error), code !== undefined && { code }));
  }

  #send(envelope: Envelope<Says>, handle?: SendHandle): void {
    if (this.#isClosed || this.#end.connected === false) return;
    // Without a callback, a failure would be an 'error' event of the process.
    this.#end.send?.({ [KEY]: envelope }, handle, () => {});
  }
}

function envelopeIn<Message>(told: unknown): Envelope<Message> | null {
  if (typeof told !== 'object' || told === null || !(KEY in told)) return null;
  return told[KEY] as Envelope<Message>;
}

function closed(): HostError {
  return new HostError('hostx: processes: the other process has ended');
}
