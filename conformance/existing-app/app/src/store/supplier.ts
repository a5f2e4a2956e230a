import { Injectable } from '@nestjs/common';
import { settings } from '../settings.js';
import { Store } from './store.js';

/** A service of somebody else, which takes its time. */
@Injectable()
export class Supplier {
  constructor(private readonly store: Store) {}

  /** Asks it, and records the answer. */
  async order(what: string): Promise<string> {
    const response = await fetch(`${settings.supplier}/${what}`);
    const answer = await response.text();
    await this.store.record(what);
    return answer;
  }
}
