// The same over a transport that answers in the next turn: what the client itself takes.
import { ClientChannel, createClient } from '@apix/grpc-client/core';
import type { Message } from '@bufbuild/protobuf';
import { Metadata } from '@grpc/grpc-js';
import { apixCaller } from './apix-caller.ts';
import { calling } from './calling.ts';
import { STREAMED } from './calls.ts';
import { SHOP, answers, pathOf } from './shop.ts';

interface Listener {
  onMessage(message: Message): void;
  onEnd(end: object): void;
}

const END = { status: { code: 0, details: '', metadata: new Metadata() }, fromServer: true };
const ANSWERS = new Map([
  [pathOf('Get'), answers.product],
  [pathOf('List'), answers.products],
  [pathOf('Put'), answers.amount],
  [pathOf('Watch'), answers.product],
]);

class AnsweredCall {
  readonly #answer: Message;
  readonly #listener: Listener;
  #left: number;

  constructor(path: string, listener: Listener) {
    this.#answer = ANSWERS.get(path)!;
    this.#listener = listener;
    this.#left = path === pathOf('Watch') ? STREAMED : 1;
  }

  read(): void {
    process.nextTick(() => {
      if (this.#left-- > 0) this.#listener.onMessage(this.#answer);
      else this.#listener.onEnd(END);
    });
  }

  send(): void {}
  halfClose(): void {}
  cancel(): void {}
}

const transport = {
  target: 'nowhere',
  isSecure: true,
  state: 'ready',
  open: ({ path }: { path: string }, listener: Listener) => new AnsweredCall(path, listener),
  waitForReady: () => Promise.resolve(),
  close() {},
};

calling(apixCaller(createClient(SHOP, { channel: new ClientChannel(transport as never) })));
