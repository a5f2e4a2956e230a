import { pause } from '@apix/contracts';
import { Injectable } from '@nestjs/common';
import type { Money } from '../gen/shop/v1/money_pb.js';

/** Amounts from this many units on are reviewed at the bank. */
const LARGE = 10_000n;
/** How long they take, in milliseconds. */
const REVIEW = 4_000;

/** Simulates a bank that approves everything; large amounts take a while. */
@Injectable()
export class Bank {
  /** @throws the reason of the signal, where that aborts first: nothing is reserved then. */
  async approve({ units }: Money, signal: AbortSignal): Promise<void> {
    if (units >= LARGE) await pause(REVIEW, signal);
    signal.throwIfAborted();
  }
}
