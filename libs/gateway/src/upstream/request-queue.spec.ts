import type { Message } from '@bufbuild/protobuf';
import { describe, expect, it } from '@jest/globals';
import { RequestQueue } from './request-queue.js';

interface Frame {
  readonly n: number;
  readonly bytes: number;
}

/** A call that takes a request when it is told to. */
function queue() {
  const sent: unknown[] = [];
  const takes: (() => void)[] = [];
  let emptied = 0;
  const requests = new RequestQueue(
    {
      send: (message, context) => {
        sent.push(message);
        takes.push(context!.taken!);
      },
      halfClose: () => void sent.push('end'),
      read: () => {},
      cancel: () => {},
    },
    {
      sizeOf: ({ bytes }: Frame) => bytes,
      read: ({ n }) => n as unknown as Message,
      onEmpty: () => (emptied += 1),
      onMistake: (error) => {
        throw error;
      },
    },
  );
  return { requests, sent, take: () => takes.shift()?.(), emptied: () => emptied };
}

describe('a queue of requests', () => {
  it.each([
    ['sixteen', 10, 16],
    ['64 KiB', 16 * 1_024, 4],
    ['one large one', 1_024 * 1_024, 1],
  ])('holds its source back when %s of them wait', (_, bytes, room) => {
    const { requests } = queue();
    const taken = Array.from({ length: room + 1 }, (__, n) => requests.send({ n, bytes }));
    expect(taken).toEqual([...Array.from({ length: room }, () => true), false]);
  });

  it('lets its source go on when all are sent, in their order and with the end last', () => {
    const { requests, sent, take, emptied } = queue();
    for (const n of [1, 2, 3]) requests.send({ n, bytes: 40 * 1_024 });
    requests.end();
    for (let left = 3; left > 0; left -= 1) take();
    expect([sent, emptied()]).toEqual([[1, 2, 3, 'end'], 1]);
    expect(requests.send({ n: 4, bytes: 10 })).toBe(true);
  });
});
