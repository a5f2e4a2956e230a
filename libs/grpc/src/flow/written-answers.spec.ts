import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { WrittenAnswers, type WrittenCall } from './written-answers.js';

/** A call whose caller takes nothing, until it is told to. */
class StuckCall implements WrittenCall {
  unsentBytes = 0;
  readonly #closing: (() => void)[] = [];

  constructor(
    readonly name: string,
    private readonly ended: string[],
  ) {}

  onClose(run: () => void): void {
    this.#closing.push(run);
  }

  overflow(limitBytes: number): void {
    this.ended.push(`${this.name} ${limitBytes}`);
    this.close();
  }

  close(): void {
    this.unsentBytes = 0;
    for (const run of this.#closing.splice(0)) run();
  }
}

let ended: string[];
let answers: WrittenAnswers;
beforeEach(() => {
  jest.useFakeTimers();
  ended = [];
  answers = new WrittenAnswers({ total: 100 });
});
afterEach(() => void jest.useRealTimers());

function written(name: string, bytes: number): StuckCall {
  const call = new StuckCall(name, ended);
  call.unsentBytes = bytes;
  answers.note(call);
  return call;
}

describe('messages that were written and not sent', () => {
  it('may reach the limit for as long as they like', () => {
    written('a', 60);
    written('b', 40);
    jest.advanceTimersByTime(60_000);
    expect(ended).toEqual([]);
  });

  it('beyond the limit end calls after 5 s, the one with most first, and no more than it takes', () => {
    written('a', 30);
    written('b', 50);
    written('c', 40);
    jest.advanceTimersByTime(4_900);
    expect(ended).toEqual([]);
    jest.advanceTimersByTime(600);
    expect(ended).toEqual(['b 100']);
    jest.advanceTimersByTime(60_000);
    expect(ended).toEqual(['b 100']);
  });

  it('end several calls at once where one is not enough', () => {
    for (const name of ['a', 'b', 'c', 'd']) written(name, 60);
    jest.advanceTimersByTime(5_500);
    expect(ended).toEqual(['a 100', 'b 100', 'c 100']);
  });

  it('spare a call that has not waited for long', () => {
    written('old', 40);
    jest.advanceTimersByTime(4_000);
    written('new', 90);
    jest.advanceTimersByTime(1_500);
    expect(ended).toEqual(['old 100']);
  });

  it('end nobody where they were sent meanwhile, or their call is over', () => {
    const sent = written('sent', 60);
    const over = written('over', 60);
    sent.unsentBytes = 0;
    jest.advanceTimersByTime(10_000);
    expect(ended).toEqual([]);
    over.close();
    written('next', 100);
    jest.advanceTimersByTime(10_000);
    expect(ended).toEqual([]);
  });
});
