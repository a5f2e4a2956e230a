import { Duplex, Writable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { type AnsweredCall, boundAnswers, isHeldBack } from './answer-flow.js';
import { UnsentAnswers, type UnsentLimits } from './unsent-answers.js';

const KIB = 1_024;
const page = (bytes: number): string => 'k'.repeat(bytes);
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A call like those of grpc-js, whose caller takes an answer when it is told to. */
function call({ limits = {}, asks = true }: { limits?: Partial<UnsentLimits>; asks?: boolean }) {
  const told: string[] = [];
  const waiting: (() => void)[] = [];
  const answers = new UnsentAnswers({ perCall: 1_024 * KIB, total: 1_024 * KIB, ...limits });
  const options = {
    objectMode: true,
    write: (_message: unknown, _encoding: string, done: () => void) => void waiting.push(done),
  };
  const stream: Writable = asks
    ? new Duplex({ ...options, read: () => void told.push('read') })
    : new Writable(options);
  // As that of grpc-js, which a stream alone does not have.
  const answered = Object.assign(stream, { cancelled: false }) as unknown as AnsweredCall;
  stream.on('error', ({ message }) => void told.push(message));
  stream.on('drain', () => void told.push('drain'));
  stream.on('cancelled', () => void told.push('cancelled'));
  boundAnswers(answered, answers);
  return {
    told,
    answers,
    stream,
    write: (bytes: number): boolean => answered.write(page(bytes)),
    /** The caller takes all that waits. */
    takeAll: async (): Promise<void> => {
      while (waiting.length > 0) {
        waiting.shift()!();
        await turn();
      }
    },
    ask: (): void => void (stream as Duplex).read(0),
    isHeldBack: (): boolean => isHeldBack(answered),
    end: (): unknown => stream.destroy(),
  };
}

describe('the answers of a call', () => {
  it('that go out at once count for nothing, however long they are', () => {
    const { write, answers, told } = call({ limits: { perCall: 0, total: 0 } });
    expect(write(80 * KIB)).toBe(true);
    expect([answers.total, told]).toEqual([0, []]);
  });

  it('hold their producer back from 64 KiB on that wait, and call it when all of it has left', async () => {
    const { write, told, takeAll, isHeldBack: isHeld } = call({ asks: false });
    const wrote = [1, 2, 3, 4, 5].map(() => write(20 * KIB));
    // The first does not wait.
    expect(wrote).toEqual([true, true, true, true, false]);
    expect([isHeld(), told]).toEqual([true, []]);
    await takeAll();
    expect([isHeld(), told]).toEqual([false, ['drain']]);
    expect(write(20 * KIB)).toBe(true);
  });

  it('hold it back from sixteen on, and call it once', async () => {
    const { write, told, takeAll, isHeldBack: isHeld } = call({ asks: false });
    const wrote = Array.from({ length: 20 }, () => write(5 * KIB));
    expect(wrote.indexOf(false)).toBe(13);
    expect(wrote.slice(13)).not.toContain(true);
    await takeAll();
    expect([isHeld(), told]).toEqual([false, ['drain']]);
  });

  it('hold back the requests of their caller for as long', async () => {
    const { write, told, takeAll, ask } = call({});
    ask();
    expect(told).toEqual(['read']);
    const { write: writeMore, told: held, takeAll: takeHeld, ask: askHeld } = call({});
    for (let i = 0; i < 5; i += 1) writeMore(20 * KIB);
    askHeld();
    expect(held).toEqual([]);
    await takeHeld();
    expect(held).toEqual(['drain', 'read']);
    write(1);
    await takeAll();
    expect(told).toEqual(['read']);
  });

  it('beyond the limit end the call, once, whatever is written then', async () => {
    const { write, told, answers, isHeldBack: isHeld } = call({ limits: { perCall: 50 * KIB } });
    const wrote = [1, 2, 3, 4, 5, 6].map(() => write(20 * KIB));
    expect(wrote).toEqual([true, true, true, false, false, false]);
    await turn();
    expect(told.toSorted()).toEqual([
      'cancelled',
      'the answers of this call that wait for the caller exceed 51200 bytes; read them faster',
    ]);
    expect([write(20 * KIB), answers.total, isHeld()]).toEqual([false, 0, false]);
  });

  it('that wait when the call ends are forgotten', async () => {
    const { write, answers, end } = call({});
    for (let i = 0; i < 4; i += 1) write(10 * KIB);
    expect(answers.total).toBeGreaterThan(30 * KIB);
    end();
    await turn();
    expect(answers.total).toBe(0);
  });
});
